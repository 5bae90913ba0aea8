// Tiles of two warps: each half of the block synchronises on its own, then reduces.
// Prints: 2016 6112
// Counts: launches 1, conflicts 0, barriers 1
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void halves(int* out) {
    __shared__ cg::block_tile_memory<128> scratch;
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<64>(block);
    const int sum = cg::reduce(tile, int(block.thread_rank()), cg::plus<int>());
    tile.sync();
    if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}

int main() {
    int *out, host[2];
    cudaMalloc(&out, sizeof(host));
    halves<<<1, 128>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", host[0], host[1]);
}
