// What lane 0 has, behind a call by pointer of one of two functions: 1 in each lane.
// nvcc takes the lanes for together there and shuffles without a warp sync. Those that have called the
// function with the atomic, into which it has put a YIELD, are elsewhere: they get 0.
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not, in every other lane.
#include "print.h"

__shared__ unsigned numbers[32];
__device__ __noinline__ unsigned nothing(unsigned) { return 1; }
__device__ __noinline__ unsigned add(unsigned x) { return atomicAdd(&numbers[threadIdx.x], x); }
using Function = unsigned (*)(unsigned);
__device__ Function const functions[] = {nothing, add};

__global__ void call(const unsigned* in, unsigned* out) {
    const unsigned t = threadIdx.x;
    numbers[t] = 0;
    const unsigned first = __shfl_sync(~0u, functions[in[2 * t]](t), 0);
    out[t] = __shfl_sync(~0u, functions[in[2 * t + 1]](first), 0);
}

int main() {
    std::vector<unsigned> words(64);
    for (unsigned t = 0; t < 32; ++t) words[2 * t + 1] = t % 2;  // the first time all call the same
    print(call, words);
}
