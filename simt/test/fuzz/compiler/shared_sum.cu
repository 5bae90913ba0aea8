// Additions of 1.0f to a word in shared memory, four by each of 32 threads: 128, which is 0x80.
// ptxas makes a loop of each addition, ATOMS.CAST.SPIN, which one lane leaves at a time. Around it, it counts
// the four rounds in a uniform register, once for all lanes: as they leave one by one, each takes a step of
// it. The sum is 35. With doubles it is the same (machine/uniform_words.cu).
//
// nvcc 13.0, sm_90: -G and -Xptxas -O0 are right; -Xptxas -O1 to -O3 are not. Right are also a counter that
// depends on the thread (`for (k = threadIdx.x; ...; k += blockDim.x)`), and a loop that is unrolled.
#include "print.h"

__global__ void add(const unsigned*, unsigned* out, int rounds) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) atomicAdd(&sum, 1.0f);
    __syncthreads();
    out[threadIdx.x] = unsigned(sum);
}

int main() { print(add, std::vector<unsigned>(64), 4); }
