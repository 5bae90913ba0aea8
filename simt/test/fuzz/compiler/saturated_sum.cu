// add.sat.s32 of -x and 0: the negation wraps, so of 0x80000000 that is 0x80000000.
// ptxas makes one negation of the two, which saturates: 0x7fffffff.
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not, in the second result.
#include "print.h"

__global__ void add(const unsigned* in, unsigned* out) {
    int result;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(result) : "r"(0 - in[2 * threadIdx.x]), "r"(0));
    out[threadIdx.x] = result;
}

int main() { print(add, {1, 0, 0x80000000, 0, 0x80000001, 0, 0x7fffffff, 0}); }
