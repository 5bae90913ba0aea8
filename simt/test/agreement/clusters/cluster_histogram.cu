// A histogram whose bins lie in the shared memory of all blocks of a cluster, as in the CUDA C++ Programming
// Guide, "Distributed Shared Memory": every block adds to bins of every other.
#include <cooperative_groups.h>

#include "simt/test/agreement/check.h"

constexpr int BINS_OF_BLOCK = 24;

__global__ void histogram(const unsigned* in, int n, unsigned* bins) {
    extern __shared__ unsigned own[];
    const auto cluster = cooperative_groups::this_cluster();
    for (int k = threadIdx.x; k < BINS_OF_BLOCK; k += blockDim.x) own[k] = 0;
    cluster.sync();
    for (int i = cluster.block_rank() * blockDim.x + threadIdx.x; i < n; i += cluster.num_threads()) {
        const unsigned bin = in[i] % (BINS_OF_BLOCK * cluster.num_blocks());
        atomicAdd(cluster.map_shared_rank(own, bin / BINS_OF_BLOCK) + bin % BINS_OF_BLOCK, 1u);
    }
    cluster.sync();
    for (int k = threadIdx.x; k < BINS_OF_BLOCK; k += blockDim.x)
        atomicAdd(bins + cluster.block_rank() * BINS_OF_BLOCK + k, own[k]);
}

int main() {
    const int n = 1000;
    Array<unsigned> in(n, [](int i) { return random_word(i); });
    for (const unsigned blocks : {1u, 2u, 4u, 8u}) {
        const int bins = BINS_OF_BLOCK * int(blocks);
        Array<unsigned> out(bins);
        cudaLaunchAttribute size;
        size.id = cudaLaunchAttributeClusterDimension;
        size.val.clusterDim = {blocks, 1, 1};
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(blocks), config.blockDim = dim3(64);
        config.dynamicSmemBytes = BINS_OF_BLOCK * 4;
        config.attrs = &size, config.numAttrs = 1;
        ensure(cudaLaunchKernelEx(&config, histogram, static_cast<const unsigned*>(in.device()), n,
                                  out.device()),
               "launch");
        out.expect("bins", [&](int bin) {
            int count = 0;
            for (int i = 0; i < n; ++i) count += int(in[i] % unsigned(bins)) == bin;
            return count;
        });
    }
    return verdict();
}
