// The sum of a vector by clusters: each block reduces its part; the first one adds up what lies in the shared
// memory of the others, or the others add to its word by an atomic.
#include <cooperative_groups.h>

#include "simt/test/agreement/check.h"

__device__ int sum_of_block(const int* in, int* partial) {
    int sum = in[global_thread()];
    for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    for (int k = 1; threadIdx.x == 0 && k < int(blockDim.x) / 32; ++k) sum += partial[k];
    return sum;
}

__global__ void __cluster_dims__(4) read_by_first(const int* in, int* out) {
    __shared__ int partial[32], total;
    const auto cluster = cooperative_groups::this_cluster();
    const int sum = sum_of_block(in, partial);
    if (threadIdx.x == 0) total = sum;
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 32) {
        int all = threadIdx.x < cluster.num_blocks() ? *cluster.map_shared_rank(&total, threadIdx.x) : 0;
        for (int k = 16; k > 0; k /= 2) all += __shfl_down_sync(~0u, all, k);
        if (threadIdx.x == 0) out[blockIdx.x / 4] = all;
    }
    cluster.sync();
}

__global__ void __cluster_dims__(4) added_by_others(const int* in, int* out) {
    __shared__ int partial[32], total;
    const auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) total = 0;
    cluster.sync();
    const int sum = sum_of_block(in, partial);
    if (threadIdx.x == 0) atomicAdd(cluster.map_shared_rank(&total, 0), sum);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) out[blockIdx.x / 4] = total;
}

int main() {
    const int blocks = 8, threads = 96;
    Array<int> in(blocks * threads, [](int i) { return int(random_word(i) % 1000); }), first(2), others(2);
    const auto want = [&](int k) {
        int sum = 0;
        for (int i = 0; i < 4 * threads; ++i) sum += in[k * 4 * threads + i];
        return sum;
    };
    read_by_first<<<blocks, threads>>>(in, first);
    first.expect("read by the first", want);
    added_by_others<<<blocks, threads>>>(in, others);
    others.expect("added by the others", want);
    return verdict();
}
