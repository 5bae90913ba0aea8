// cvt.sat.u16.s32 of -x: the negation wraps, so of 0x80000000 it is negative, and the result 0.
// ptxas compares x instead: all that is at most -0xffff gives 0xffff.
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not, in the third result.
#include "print.h"

__global__ void convert(const unsigned* in, unsigned* out) {
    unsigned short result;
    asm("cvt.sat.u16.s32 %0, %1;" : "=h"(result) : "r"(0 - in[2 * threadIdx.x]));
    out[threadIdx.x] = result;
}

int main() { print(convert, {1, 0, 0xfffffffe, 0, 0x80000000, 0, 0x80000001, 0}); }
