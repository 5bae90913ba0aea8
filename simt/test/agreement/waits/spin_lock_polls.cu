// A lock that one lane of each warp takes, of a block and of the grid; and one that the lanes of a warp take
// in turn.
#include "simt/test/agreement/check.h"

__device__ void lock(int* word) {
    while (atomicCAS(word, 0, 1) != 0) {
    }
    __threadfence();
}
__device__ void unlock(int* word) {
    __threadfence();
    atomicExch(word, 0);
}

__global__ void by_warps(const int* in, int* words, volatile int* sums) {
    __shared__ int word;
    __shared__ volatile int sum;
    if (threadIdx.x == 0) word = sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        lock(&word);
        sum = sum * 1 + in[global_thread()];
        unlock(&word);
        lock(words);
        sums[0] = sums[0] + in[global_thread()] * 2;
        unlock(words);
    }
    __syncthreads();
    if (threadIdx.x == 0) sums[1 + blockIdx.x] = sum;
}

__global__ void by_lanes(const int* in, int* word, volatile int* sum) {
    for (bool done = false; !done;) {
        if (atomicCAS(word, 0, 1) == 0) {
            __threadfence();
            *sum = *sum + in[threadIdx.x];
            unlock(word);
            done = true;
        }
    }
}

int main() {
    const int blocks = 3, n = blocks * 128;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), words(2), sums(1 + blocks), sum(1);
    by_warps<<<blocks, 128>>>(in, words, sums.device());
    sums.expect("by warps", [&](int i) {
        int all = 0, own = 0;
        for (int k = 0; k < n; k += 32) {
            all += 2 * in[k];
            if (k / 128 == i - 1) own += in[k];
        }
        return i == 0 ? all : own;
    });
    by_lanes<<<1, 32>>>(in, words.device() + 1, sum.device());
    sum.expect("by lanes", [&](int) {
        int all = 0;
        for (int k = 0; k < 32; ++k) all += in[k];
        return all;
    });
    return verdict();
}
