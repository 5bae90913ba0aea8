// A thread that computes for more than 2 ms and writes one word at the end: it waits for nobody.
#include "simt/test/agreement/check.h"

constexpr int ROUNDS = 1'200'000;

__global__ void compute(unsigned* out) {
    unsigned x = *out;
#pragma unroll 1
    for (int r = 0; r < ROUNDS; ++r) x = x * 1664525u + 1013904223u;
    *out = x;
}

int main() {
    Array<unsigned> out(1);
    compute<<<1, 1>>>(out);
    unsigned x = 0;
    for (int r = 0; r < ROUNDS; ++r) x = x * 1664525u + 1013904223u;
    out.expect("word", [&](int) { return x; });
    return verdict();
}
