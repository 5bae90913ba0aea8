// The two halves of the cluster's barrier, with work in between, in every round; and blocks whose threads end
// early.
#include <cooperative_groups.h>

#include "simt/test/agreement/check.h"

__global__ void __cluster_dims__(4) rounds(const int* in, int* out, int count) {
    __shared__ int own[2][32];
    auto cluster = cooperative_groups::this_cluster();
    const int t = threadIdx.x;
    int value = in[global_thread()];
    for (int round = 0; round < count; ++round) {
        own[round % 2][t] = value;
        cluster.barrier_arrive();
        for (int k = 0; k <= t % 4; ++k) value = value * 3 + round;
        cluster.barrier_wait();
        value += cluster.map_shared_rank(own[round % 2], (cluster.block_rank() + round) % 4)[31 - t];
    }
    cluster.sync();
    out[global_thread()] = value;
}

__global__ void __cluster_dims__(2) ended(int* out) {
    __shared__ int own[128];
    auto cluster = cooperative_groups::this_cluster();
    const int t = threadIdx.x;
    own[t] = global_thread();
    cluster.sync();
    if (t >= 64 * int(cluster.block_rank() + 1)) return;
    const int far = cluster.map_shared_rank(own, 1)[t];
    cluster.sync();
    out[global_thread()] = far;
}

int main() {
    const int count = 4, n = 8 * 32;
    Array<int> in(n, [](int i) { return int(random_word(i) % 10); }), out(n), few(256);
    rounds<<<8, 32>>>(in, out, count);
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = in[i];
    for (int round = 0; round < count; ++round) {
        const std::vector<int> old = want;
        for (int i = 0; i < n; ++i) {
            const int t = i % 32, block = i / 32;
            for (int k = 0; k <= t % 4; ++k) want[i] = want[i] * 3 + round;
            want[i] += old[(block / 4 * 4 + (block + round) % 4) * 32 + 31 - t];
        }
    }
    out.expect("rounds", [&](int i) { return want[i]; });
    ended<<<2, 128>>>(few);
    few.expect("ended", [](int i) { return i < 64 ? 128 + i : i < 128 ? 0 : i; });
    return verdict();
}
