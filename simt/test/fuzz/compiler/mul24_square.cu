// The least of 0 and __mul24(v, v), whose 32 bits may be negative: of v = 0xffff it is 0xfffe0001.
// The compiler's front end takes a square for positive, and its minimum with 0 for 0.
//
// nvcc 13.0, sm_90: -G is right; all others give 0, -Xptxas -O0 too, for ptxas never sees the minimum.
#include "print.h"

__global__ void least(const unsigned* in, unsigned* out) {
    const int v = in[2 * threadIdx.x];
    out[threadIdx.x] = min(0, __mul24(v, v));
}

int main() { print(least, {3, 0, 0xffff, 0, 0xc000, 0, 0xb505, 0}); }
