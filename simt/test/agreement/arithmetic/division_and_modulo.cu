// Division and remainder by constants and by variables, signed and unsigned; the greatest common divisor.
#include "simt/test/agreement/check.h"

__host__ __device__ unsigned divisor(unsigned a, unsigned b) {
    while (b != 0) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

__host__ __device__ int divide(int a, int b) {
    return a / 7 + a % 10 - a / 16 + a % 64 + a / (b % 100 + 101) * 3 + a % (b % 1000 + 1001) +
           static_cast<int>(static_cast<unsigned>(a) / 1000u % (static_cast<unsigned>(b) % 77 + 1)) +
           (a % 3 == 0 ? b / -5 : b % 9);
}

__global__ void divide_all(const int* in, int* out) {
    out[global_thread()] = divide(in[global_thread()], in[global_thread() ^ 1]);
}
__global__ void divisors(const int* in, unsigned* out) {
    out[global_thread()] = divisor(in[global_thread()] & 0xfffff, in[global_thread() ^ 1] & 0xffff);
}

int main() {
    Array<int> in(192, [](int i) { return int(random_word(i)); }), out(192);
    divide_all<<<2, 96>>>(in, out);
    out.expect("quotients", [&](int i) { return divide(in[i], in[i ^ 1]); });
    Array<unsigned> common(192);
    divisors<<<2, 96>>>(in, common);
    common.expect("divisors", [&](int i) { return divisor(in[i] & 0xfffff, in[i ^ 1] & 0xffff); });
    return verdict();
}
