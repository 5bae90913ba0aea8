// cg::inclusive_scan and exclusive_scan over tiles of 8.
// Prints: 1 3 6 10 15 21 28 36 | 0 1 3 6 10 15 21 28
// Counts: launches 1, shuffles 8
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void scan(int* inclusive, int* exclusive) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int value = tile.thread_rank() + 1;
    inclusive[threadIdx.x] = cg::inclusive_scan(tile, value);
    exclusive[threadIdx.x] = cg::exclusive_scan(tile, value, cg::plus<int>());
}

int main() {
    int *out, host[64];
    cudaMalloc(&out, sizeof(host));
    scan<<<1, 32>>>(out, out + 32);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) std::printf("%d ", host[24 + i]);
    std::printf("|");
    for (int i = 0; i < 8; ++i) std::printf(" %d", host[56 + i]);
    std::puts("");
}
