// 64-bit integers: products, quotients, shifts, comparisons, and a power modulo a prime.
#include "simt/test/agreement/check.h"

using Long = unsigned long long;

__host__ __device__ Long power(Long base, unsigned exponent, Long modulus) {
    Long result = 1;
    for (base %= modulus; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

__host__ __device__ Long mix(Long x, Long y) {
    long long s = static_cast<long long>(x) / (static_cast<long long>(y >> 40) - 5000000);
    if (x > y)
        s += x >> (y & 63);
    else
        s -= static_cast<long long>(y) >> (x & 31);
    return s * 0x5851f42d4c957f2dull ^ (x << 17 | x >> 47);
}

__global__ void powers(const Long* in, Long* out) {
    const Long x = in[global_thread()];
    out[global_thread()] = power(x, static_cast<unsigned>(x >> 50), 2147483629u);
}
__global__ void mixes(const Long* in, Long* out) {
    out[global_thread()] = mix(in[global_thread()], in[global_thread() ^ 1]);
}

int main() {
    Array<Long> in(128, [](int i) { return Long(random_word(i)) << 32 | random_word(i + 1000); }), out(128);
    powers<<<2, 64>>>(in, out);
    out.expect("powers", [&](int i) { return power(in[i], unsigned(in[i] >> 50), 2147483629u); });
    mixes<<<2, 64>>>(in, out);
    out.expect("mixes", [&](int i) { return mix(in[i], in[i ^ 1]); });
    return verdict();
}
