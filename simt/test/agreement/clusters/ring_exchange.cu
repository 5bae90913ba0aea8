// A ring of blocks: in each round every block passes its row on to the next one's shared memory. Two rows
// take turns, so that one barrier of the cluster a round is enough.
#include <cooperative_groups.h>

#include "simt/test/agreement/check.h"

__global__ void __cluster_dims__(8) pass_on(const int* in, int* out, int rounds) {
    __shared__ int row[2][64];
    const auto cluster = cooperative_groups::this_cluster();
    const int t = threadIdx.x, i = global_thread();
    row[0][t] = in[i];
    cluster.sync();
    for (int round = 0; round < rounds; ++round) {
        int* const next = cluster.map_shared_rank(row[(round + 1) % 2], (cluster.block_rank() + 1) % 8);
        next[t] = row[round % 2][(t + 1) % 64] + 1;
        cluster.sync();
    }
    out[i] = row[rounds % 2][t];
}

int main() {
    const int rounds = 5, n = 16 * 64;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n);
    pass_on<<<16, 64>>>(in, out, rounds);
    out.expect("ring", [&](int i) {
        const int block = i / 64, from = block / 8 * 8 + (block % 8 + 8 - rounds) % 8;
        return in[from * 64 + (i % 64 + rounds) % 64] + rounds;
    });
    return verdict();
}
