// Cooperative groups: tiles of 4 to 32 threads, their shuffles, votes and reductions, and groups of the
// active lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "simt/test/agreement/check.h"

namespace groups = cooperative_groups;

template <int SIZE>
__global__ void by_tiles(const int* in, int* out) {
    const auto tile = groups::tiled_partition<SIZE>(groups::this_thread_block());
    const int x = in[global_thread()];
    int sum = x;
    for (int k = SIZE / 2; k > 0; k /= 2) sum += tile.shfl_down(sum, k);
    sum = tile.shfl(sum, 0);
    const int most = groups::reduce(tile, x, groups::greater<int>());
    tile.sync();
    out[global_thread()] = sum + most * 3 + (tile.any(x > 990) ? 100000 : 0) + __popc(tile.ballot(x % 2));
}

__global__ void by_active(const int* in, int* counters, int* out) {
    const int x = in[global_thread()];
    if (x % 3 == 1) {
        const auto active = groups::coalesced_threads();
        int first;
        if (active.thread_rank() == 0)
            first = atomicAdd(counters + blockIdx.x * 4 + threadIdx.x / 32, active.size());
        out[global_thread()] = active.shfl(first, 0) + active.thread_rank();
    } else {
        out[global_thread()] = -1;
    }
}

template <int SIZE>
void check() {
    const int n = 128;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n), ranks(n), counters(8);
    by_tiles<SIZE><<<2, 64>>>(in, out);
    out.expect("tiles", [&](int i) {
        int sum = 0, most = 0, odd = 0;
        bool any = false;
        for (int k = i / SIZE * SIZE; k < i / SIZE * SIZE + SIZE; ++k)
            sum += in[k], most = std::max(most, in[k]), odd += in[k] % 2, any |= in[k] > 990;
        return sum + most * 3 + (any ? 100000 : 0) + odd;
    });
    by_active<<<2, 64>>>(in, counters, ranks);
    ranks.expect("active", [&](int i) {
        int rank = 0;
        for (int k = i / 32 * 32; k < i; ++k) rank += in[k] % 3 == 1;
        return in[i] % 3 == 1 ? rank : -1;
    });
}

int main() {
    check<4>();
    check<16>();
    check<32>();
    return verdict();
}
