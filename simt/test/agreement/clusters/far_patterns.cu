// Loads and stores of another block's shared memory: 4, 8 and 16 bytes a lane, strides that meet in one bank
// on one's own, one word for all, some of the lanes at work, lanes of which each has another block.
#include <cooperative_groups.h>

#include "simt/test/agreement/check.h"

template <class T>
__device__ T* of_rank(T* own, unsigned rank) {
    return cooperative_groups::this_cluster().map_shared_rank(own, rank);
}

template <class T>
__global__ void __cluster_dims__(2) strided(int* out, int stride) {
    __shared__ T own[32 * 8];
    const auto cluster = cooperative_groups::this_cluster();
    const int t = threadIdx.x;
    for (int k = t; k < 256; k += 32) reinterpret_cast<int*>(own + k)[0] = k;
    cluster.sync();
    const T value = of_rank(own, cluster.block_rank() ^ 1)[t * stride];
    cluster.sync();
    of_rank(own, cluster.block_rank() ^ 1)[t * stride] = value;
    cluster.sync();
    out[global_thread()] = reinterpret_cast<const int*>(own + t * stride)[0];
}

__global__ void __cluster_dims__(4) scattered(int* out, int lanes) {
    __shared__ int own[32];
    const auto cluster = cooperative_groups::this_cluster();
    const int t = threadIdx.x;
    own[t] = blockIdx.x * 32 + t;
    cluster.sync();
    int sum = *of_rank(own + 5, 1);
    if (t < lanes) sum += of_rank(own, t % 4)[t];
    if (t % 3 == 1) sum += of_rank(own, cluster.block_rank())[31 - t];
    out[global_thread()] = sum;
    cluster.sync();
}

int main() {
    Array<int> out(128);
    const auto want = [](int stride) { return [stride](int i) { return i < 64 ? i % 32 * stride : 0; }; };
    for (const int stride : {1, 2, 8}) {
        strided<int><<<2, 32>>>(out, stride);
        out.expect("words", want(stride));
        strided<int2><<<2, 32>>>(out, stride);
        out.expect("pairs", want(stride));
        strided<int4><<<2, 32>>>(out, stride);
        out.expect("fours", want(stride));
    }
    scattered<<<4, 32>>>(out, 20);
    out.expect("scattered", [](int i) {
        const int t = i % 32;
        return 37 + (t < 20 ? t % 4 * 32 + t : 0) + (t % 3 == 1 ? i / 32 * 32 + 31 - t : 0);
    });
    return verdict();
}
