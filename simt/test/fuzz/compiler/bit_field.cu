// bfe.s32 of 255 bits from bit 255 on: every bit of the result is bit 31 of the word.
// ptxas computes with position and length, which it knows, and gives -1 for every word.
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not, in the first two results.
#include "print.h"

__global__ void extract(const unsigned* in, unsigned* out) {
    const unsigned all = 0xffffffff;
    int result;
    asm("{ .reg .b32 p, n; and.b32 p, %2, 255; and.b32 n, %3, 255; bfe.s32 %0, %1, p, n; }"
        : "=r"(result)
        : "r"(in[2 * threadIdx.x]), "r"(all), "r"(all));
    out[threadIdx.x] = result;
}

int main() { print(extract, {0xcb, 0, 0x5c, 0, 0x800000cb, 0, 0xffffffff, 0}); }
