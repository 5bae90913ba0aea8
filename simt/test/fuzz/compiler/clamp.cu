// Whether x, at least 0 and at most 16, is 16: of 17 it is, of 12 it is not.
// ptxas takes that from the predicate of VIMNMX.RELU, which says whether the result is x.
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not, but for x below 0 and 16.
#include "print.h"

__global__ void clamp(const unsigned* in, unsigned* out) {
    const int x = in[2 * threadIdx.x], clamped = max(0, min(16, x));
    if (clamped == 16)
        out[threadIdx.x] = 0xffff;
    else
        out[threadIdx.x] = clamped;
}

int main() { print(clamp, {0, 0, 12, 0, 16, 0, 17, 0, 0xffffffff, 0}); }
