// A function that is not inlined, called from both sides of a branch and in a loop, by some of the lanes.
#include "simt/test/agreement/check.h"

__host__ __device__ __noinline__ unsigned mix(unsigned x, const unsigned* table) {
    for (unsigned k = 0; k < x % 4; ++k) x = x * 3 + table[k];
    return x ^ table[x % 16];
}

__host__ __device__ __noinline__ unsigned mix_twice(unsigned x, const unsigned* table) {
    return x & 1 ? mix(mix(x, table) + 1, table) : mix(x >> 1, table);
}

__host__ __device__ unsigned walk(unsigned x, const unsigned* table) {
    unsigned y;
    if (x & 1)
        y = mix(x, table) + 5;
    else
        y = mix(x * 7, table) * 3;
    for (unsigned k = 0; k < (x >> 4 & 3); ++k) y += mix(y + k, table);
    return y + mix_twice(y, table);
}

__global__ void call(const unsigned* in, const unsigned* table, unsigned* out) {
    out[global_thread()] = walk(in[global_thread()], table);
}

int main() {
    Array<unsigned> in(256, [](int i) { return random_word(i); }),
        table(16, [](int i) { return random_word(i + 99); });
    Array<unsigned> out(256);
    call<<<2, 128>>>(in, table, out);
    out.expect("call", [&](int i) { return walk(in[i], &table[0]); });
    return verdict();
}
