// binary_partition and labeled_partition: groups of lanes in any places.
// Prints: 8 24 11
// Counts: launches 1
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void partitions(int* out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const bool first = tile.thread_rank() % 4 == 0;
    auto part = cg::binary_partition(tile, first);
    const int sum = cg::reduce(part, 1, cg::plus<int>());
    if (part.thread_rank() == 0) out[first ? 0 : 1] = sum;
    auto labeled = cg::labeled_partition(tile, int(tile.thread_rank() % 3));
    if (threadIdx.x == 0) out[2] = labeled.size();
}

int main() {
    int *out, host[3];
    cudaMalloc(&out, sizeof(host));
    partitions<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%d %d %d\n", host[0], host[1], host[2]);
}
