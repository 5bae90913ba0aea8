// ptxas has copies of a block's barrier: one for warps that are together, and before sm_90 a function for
// those whose lanes have parted. A block may wait at both. Nothing is to be reported.
#include <cooperative_groups.h>

#include <cstdio>

namespace groups = cooperative_groups;
constexpr int THREADS = 128, TILE = 32;

__device__ void sum_up(volatile int* sums, int mine, groups::thread_block block) {
    const auto tile = groups::tiled_partition<TILE>(block);
    const int t = threadIdx.x;
    sums[t] = mine;
    groups::sync(tile);
    for (int i = TILE / 2; i > 0; i /= 2) {
        if (t % TILE < i) sums[t] = mine += sums[t + i];
        groups::sync(tile);
    }
    groups::sync(block);
    if (t == 0) {
        int all = 0;
        for (int i = 0; i < blockDim.x; i += TILE) all += sums[i];
        sums[0] = all;
    }
    groups::sync(block);
}

__global__ void sum(const int* in, int* out, int n) {
    __shared__ int sums[THREADS];
    int mine = 0;
    for (int i = threadIdx.x; i < n; i += THREADS) mine += in[i];
    sum_up(sums, mine, groups::this_thread_block());
    if (threadIdx.x == 0) *out = sums[0];
}

int main() {
    constexpr int N = 1000;
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int)), cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < N; ++i) in[i] = i;
    sum<<<1, THREADS>>>(in, out, N);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::puts(*out == N * (N - 1) / 2 ? "right" : "wrong");
    return *out == N * (N - 1) / 2 ? 0 : 1;
}
