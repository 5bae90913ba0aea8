// A scan in one launch, a cluster a row: each block scans its tile, then reads the sums of the blocks before
// it from their shared memory.
#include <cooperative_groups.h>

#include "simt/test/agreement/check.h"

constexpr int THREADS = 128, BLOCKS = 4;

__global__ void __cluster_dims__(BLOCKS) scan(const int* in, int* out) {
    __shared__ int tile[THREADS], total;
    const auto cluster = cooperative_groups::this_cluster();
    const int t = threadIdx.x, i = global_thread();
    int sum = in[i];
    tile[t] = sum;
    __syncthreads();
    for (int stride = 1; stride < THREADS; stride *= 2) {
        const int left = t >= stride ? tile[t - stride] : 0;
        __syncthreads();
        tile[t] = sum += left;
        __syncthreads();
    }
    if (t == THREADS - 1) total = sum;
    cluster.sync();
    for (unsigned rank = 0; rank < cluster.block_rank(); ++rank)
        sum += *cluster.map_shared_rank(&total, rank);
    out[i] = sum;
    cluster.sync();
}

int main() {
    const int row = THREADS * BLOCKS, n = 2 * row;
    Array<int> in(n, [](int i) { return int(random_word(i) % 100); }), out(n);
    scan<<<n / THREADS, THREADS>>>(in, out);
    out.expect("scan", [&](int i) {
        int sum = 0;
        for (int k = i / row * row; k <= i; ++k) sum += in[k];
        return sum;
    });
    return verdict();
}
