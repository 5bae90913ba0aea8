// Bulk copies in both directions: a ring of two tiles whose full barriers count bytes, and stores from shared
// memory.
#include "kernels/fast/detail/bulk_copy.cuh"
#include "simt/test/agreement/check.h"

using namespace trial;

constexpr int TILE = 256;

__global__ void ring(const int* in, int* out, int tiles) {
    __shared__ alignas(128) int row[2][TILE];
    __shared__ alignas(128) int done[TILE];
    __shared__ Mbarrier full[2];
    const int t = threadIdx.x;
    if (t < 2) full[t].init(1);
    fence_mbarrier_init();
    __syncthreads();
    const auto load = [&](int tile) {
        if (t == 0 && tile < tiles) {
            full[tile % 2].arrive_expect_tx(TILE * 4);
            bulk_load(row[tile % 2], in + (blockIdx.x * tiles + tile) * TILE, TILE * 4, full[tile % 2]);
        }
    };
    load(0);
    for (int tile = 0; tile < tiles; ++tile) {
        load(tile + 1);
        full[tile % 2].wait(tile / 2 % 2);
        if (t == 0) cp_async_bulk_wait_group_read<0>();
        __syncthreads();
        for (int k = t; k < TILE; k += blockDim.x) done[k] = row[tile % 2][TILE - 1 - k] + k;
        fence_proxy_async();
        __syncthreads();
        if (t == 0) {
            bulk_store(out + (blockIdx.x * tiles + tile) * TILE, done, TILE * 4);
            cp_async_bulk_commit_group();
        }
    }
    if (t == 0) cp_async_bulk_wait_group_read<0>();
}

int main() {
    const int blocks = 2, tiles = 5, n = blocks * tiles * TILE;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n);
    ring<<<blocks, 64>>>(in, out, tiles);
    out.expect("tiles", [&](int i) { return in[i / TILE * TILE + TILE - 1 - i % TILE] + i % TILE; });
    return verdict();
}
