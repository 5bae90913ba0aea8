// slct.f32: the first word if the float |c| is at least 0, the second if it is less or NaN.
// ptxas takes |c| to be at least 0, and so drops the comparison: of a NaN it gives the first word.
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not, in the last two results.
#include "print.h"

__global__ void by_magnitude(const unsigned* in, unsigned* out) {
    const float c = fabsf(__uint_as_float(in[2 * threadIdx.x]));
    unsigned selected;
    asm("slct.u32.f32 %0, %1, %2, %3;" : "=r"(selected) : "r"(in[2 * threadIdx.x + 1]), "r"(7), "f"(c));
    out[threadIdx.x] = selected;
}

int main() {
    print(by_magnitude, {0x3f800000, 1, 0xbf800000, 2, 0x80000000, 3, 0x7fc00000, 4, 0xffc00001, 5});
}
