// cg::reduce over a tile: an integer by one instruction, a float and a double by shuffles.
// Prints: 496 496 31 4096
// Counts: launches 1, shuffles 16
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(double* out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int rank = tile.thread_rank();
    const double results[4] = {double(cg::reduce(tile, rank, cg::plus<int>())),
                               double(cg::reduce(tile, float(rank), cg::plus<float>())),
                               cg::reduce(tile, double(rank), cg::greater<double>()), 4096};
    if (rank < 4) out[rank] = results[rank];
}

int main() {
    double *out, host[4];
    cudaMalloc(&out, sizeof(host));
    sums<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);
}
