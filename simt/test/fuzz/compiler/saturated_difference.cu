// sub.sat.s32 of b and a + b: the sum wraps, so of a = 0x7fffffff and b = 1 that is 0x7fffffff.
// ptxas makes a negation of it, -a.
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not, from the second result on.
#include "print.h"

__global__ void subtract(const unsigned* in, unsigned* out) {
    int result;
    const unsigned a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(result) : "r"(b), "r"(a + b));
    out[threadIdx.x] = result;
}

int main() { print(subtract, {1, 5, 0x7fffffff, 1, 0x80000000, 0x80000000, 0x7fffffff, 0x7fffffff}); }
