// __vavgu2 of t and the majority of t, t and i, which is t: the average of a word and itself.
// In the loop, which nvcc unrolls, ptxas makes other logic of the two.
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not, for odd words.
#include "print.h"

__global__ void average(const unsigned* in, unsigned* out) {
    const unsigned t = in[2 * threadIdx.x];
    unsigned v = 0;
    for (unsigned i = 0; i < 5; i++) {
        unsigned majority;
        asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(majority) : "r"(t), "r"(t), "r"(i));
        v = __vavgu2(majority, t);
    }
    out[threadIdx.x] = v;
}

int main() { print(average, {3, 0, 4, 0, 0x10003, 0, 11, 0}); }
