// fmaxf of the constants -0 and 0: in PTX, and on the GPU, +0 is larger.
// The front end computes it itself, and takes the first. Thread 1 has the same two values from memory.
//
// nvcc 13.0, sm_90: -G is right; all others give 80000000 and 0.
#include "print.h"

__global__ void larger(const unsigned* in, unsigned* out) {
    const float of_constants = fmaxf(-0.0f, 0.0f),
                of_words = fmaxf(__uint_as_float(in[2]), __uint_as_float(in[3]));
    out[threadIdx.x] = __float_as_uint(threadIdx.x == 0 ? of_constants : of_words);
}

int main() { print(larger, {0, 0, 0x80000000, 0}); }
