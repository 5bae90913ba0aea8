// Cooperative groups: the block, tiles of sizes known to the compiler and not, a function of any group.
// Prints: 64 4 2080
// Counts: launches 1, barriers 14, conflicts 0
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int reduce_sum(cg::thread_group group, int* scratch, int value) {
    const int lane = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        scratch[lane] = value;
        group.sync();
        if (lane < i) value += scratch[lane + i];
        group.sync();
    }
    return value;
}

__global__ void groups(int* out) {
    __shared__ int scratch[64];
    cg::thread_block block = cg::this_thread_block();
    const int sum = reduce_sum(block, scratch, block.thread_rank() + 1);
    cg::sync(block);
    cg::thread_block_tile<4> tile = cg::tiled_partition<4>(block);
    cg::thread_group dynamic = cg::tiled_partition(block, 4);
    if (dynamic.thread_rank() == tile.thread_rank() && tile.meta_group_rank() == threadIdx.x / 4) tile.sync();
    block.sync();
    if (threadIdx.x == 0) out[0] = block.size(), out[1] = tile.size(), out[2] = sum;
}

int main() {
    int *out, host[3];
    cudaMalloc(&out, sizeof(host));
    groups<<<1, 64>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%d %d %d\n", host[0], host[1], host[2]);
}
