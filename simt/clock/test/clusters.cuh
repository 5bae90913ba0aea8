// Kernels in clusters: shared memory of other blocks, and the cluster's barrier.
#pragma once
#include <cooperative_groups.h>

#include "simt/clock/test/kernels.cuh"

namespace micro {

/// Loads of a word of the next block's shared memory, each where the one before says. Block 0 alone loads.
__global__ void far_chain(int* out, int rounds) {
    __shared__ int words[1024];
    const auto cluster = cooperative_groups::this_cluster();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) words[k] = 0;
    cluster.sync();
    const int* const far = cluster.map_shared_rank(words, 1);
    int x = threadIdx.x;
    if (cluster.block_rank() == 0)
#pragma unroll 1
        for (int r = 0; r < rounds; ++r)
#pragma unroll
            for (int k = 0; k < UNROLLED; ++k) x = far[x];
    if (x == 99) *out = x;
    cluster.sync();
}
/// Every block loads all of the next one's.
__global__ void __launch_bounds__(1024) far_loads(int* out, int rounds) {
    __shared__ int words[1024];
    const auto cluster = cooperative_groups::this_cluster();
    words[threadIdx.x] = 0;
    cluster.sync();
    const volatile int* const far =
        cluster.map_shared_rank(words, (cluster.block_rank() + 1) % cluster.num_blocks());
    int sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < 8; ++k) sum += far[threadIdx.x ^ k];
    if (sum == 99) *out = sum;
    cluster.sync();
}
__global__ void __launch_bounds__(1024) cluster_barriers(int rounds) {
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) {
            asm volatile("barrier.cluster.arrive.relaxed.aligned;");
            asm volatile("barrier.cluster.wait.aligned;");
        }
}

}  // namespace micro
