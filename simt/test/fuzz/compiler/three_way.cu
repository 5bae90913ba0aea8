// The largest of v, -v and a third word: of -5, 5 and 3 that is 5.
// ptxas makes one instruction of the two maxima, VIMNMX3, and drops the minus: it gives 3.
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not, in the second result.
#include "print.h"

__global__ void largest(const unsigned* in, unsigned* out) {
    const int v = in[2 * threadIdx.x], other = in[2 * threadIdx.x + 1];
    out[threadIdx.x] = __vimax3_s32(v, int(0 - unsigned(v)), other);
}

int main() { print(largest, {5, 3, 0xfffffffb, 3, 5, 9, 0x80000000, 3, 0x80000000, 0x80000000}); }
