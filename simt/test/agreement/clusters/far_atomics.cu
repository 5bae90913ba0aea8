// Atomics on another block's shared memory: types, operations, one word for many lanes, with and without a
// result.
#include <cooperative_groups.h>

#include "simt/test/agreement/check.h"

template <class T>
__global__ void __cluster_dims__(2) added(T* out, int words) {
    __shared__ T own[64];
    const auto cluster = cooperative_groups::this_cluster();
    const int t = threadIdx.x;
    own[t] = T(t);
    cluster.sync();
    atomicAdd(cluster.map_shared_rank(own, cluster.block_rank() ^ 1) + t % words,
              T(1 + cluster.block_rank()));
    cluster.sync();
    out[global_thread()] = own[t];
}

__global__ void __cluster_dims__(2) others(int* out) {
    __shared__ int own[64];
    const auto cluster = cooperative_groups::this_cluster();
    const int t = threadIdx.x;
    own[t] = t;
    cluster.sync();
    int* const far = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
    int old = atomicMax(far + t, 40);
    old += atomicExch(far + t, 7 * t);
    old += atomicCAS(far + t, t % 2 == 0 ? 7 * t : -1, 3);
    cluster.sync();
    if (t < 10) atomicXor(far + 63, 1 << t);
    cluster.sync();
    out[global_thread()] = own[t] * 1000 + old;
}

int main() {
    Array<int> ints(128), mixed(128);
    Array<unsigned long long> longs(128);
    Array<float> floats(128);
    Array<double> doubles(128);
    const auto want = [](int words) {
        return [words](int i) { return i % 64 + (i % 64 < words ? 64 / words * (2 - i / 64) : 0); };
    };
    for (const int words : {64, 16, 1}) {
        added<<<2, 64>>>(ints.device(), words);
        ints.expect("int", want(words));
    }
    added<<<2, 64>>>(longs.device(), 16);
    longs.expect("long", want(16));
    added<<<2, 64>>>(floats.device(), 64);
    floats.expect("float", want(64));
    added<<<2, 64>>>(doubles.device(), 64);
    doubles.expect("double", want(64));
    others<<<2, 64>>>(mixed);
    mixed.expect("others", [](int i) {
        const int t = i % 64, old = t + std::max(40, t) + 7 * t, now = t % 2 == 0 ? 3 : 7 * t;
        return (t == 63 ? now ^ 1023 : now) * 1000 + old;
    });
    return verdict();
}
