// Counts of bits, leading zeros, reversed bits, funnel shifts, bit fields; Morton codes; the n-th set bit.
#include "simt/test/agreement/check.h"

__host__ __device__ unsigned spread(unsigned x) {
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

__global__ void tricks(const unsigned* in, unsigned* out) {
    const unsigned x = in[global_thread()], y = in[global_thread() ^ 1];
    unsigned z = __popc(x) + 32 * __clz(x >> 5) + 1024 * __ffs(x & 0xff0);
    z ^= __brev(y) + __funnelshift_l(x, y, x) + __funnelshift_rc(x, y, y & 63);
    z += spread(x & 0xffff) | spread(y & 0xffff) << 1;
    unsigned rest = x;
    for (unsigned k = 0; k < y % 8 && rest != 0; ++k) rest &= rest - 1;
    out[global_thread()] = z * 3 + __ffs(rest) + __popcll(static_cast<unsigned long long>(x) * y) +
                           __clzll(x) + (x >> 7 & 0x3ff);
}

int main() {
    const int n = 128;
    Array<unsigned> in(n, [](int i) { return random_word(i); }), out(n);
    tricks<<<2, 64>>>(in, out);
    out.expect("bits", [&](int i) {
        const unsigned x = in[i], y = in[i ^ 1];
        const auto zeros = [](unsigned v) { return v == 0 ? 32 : __builtin_clz(v); };
        unsigned z = __builtin_popcount(x) + 32 * zeros(x >> 5) + 1024 * __builtin_ffs(x & 0xff0),
                 reversed = 0;
        for (int k = 0; k < 32; ++k) reversed |= (y >> k & 1) << (31 - k);
        const unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
        const unsigned right = (y & 63) > 32 ? 32 : y & 63;
        z ^= reversed + unsigned(both << (x & 31) >> 32) + unsigned(both >> right);
        z += spread(x & 0xffff) | spread(y & 0xffff) << 1;
        unsigned rest = x;
        for (unsigned k = 0; k < y % 8 && rest != 0; ++k) rest &= rest - 1;
        return z * 3 + __builtin_ffs(rest) + __builtin_popcountll(static_cast<unsigned long long>(x) * y) +
               32 + zeros(x) + (x >> 7 & 0x3ff);
    });
    return verdict();
}
