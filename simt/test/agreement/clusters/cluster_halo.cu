// A stencil of five points on clusters of 2 x 2 blocks: what lies beyond a block's tile is read from its
// neighbour's shared memory, and from global memory only beyond the cluster's.
#include <cooperative_groups.h>

#include "simt/test/agreement/check.h"

constexpr int TILE = 16;

__global__ void __cluster_dims__(2, 2) smooth(const float* in, float* out, int n) {
    __shared__ float tile[TILE][TILE];
    const auto cluster = cooperative_groups::this_cluster();
    const dim3 me = cluster.block_index();
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    cluster.sync();
    const auto at = [&](int u, int v) {
        if (u < 0 || v < 0 || u >= n || v >= n) return 0.0f;
        const int bx = u / TILE - (blockIdx.x - me.x), by = v / TILE - (blockIdx.y - me.y);
        if (bx < 0 || bx > 1 || by < 0 || by > 1) return in[v * n + u];
        return cluster.map_shared_rank(&tile[0][0], by * 2 + bx)[v % TILE * TILE + u % TILE];
    };
    out[y * n + x] = 0.5f * at(x, y) + 0.125f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
    cluster.sync();
}

int main() {
    const int n = 64;
    Array<float> in(n * n, [](int i) { return float(random_word(i) % 1024); }), out(n * n);
    smooth<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(in, out, n);
    const auto at = [&](int x, int y) { return x < 0 || y < 0 || x >= n || y >= n ? 0.0f : in[y * n + x]; };
    out.expect("stencil", [&](int i) {
        const int x = i % n, y = i / n;
        return 0.5f * at(x, y) + 0.125f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
    });
    return verdict();
}
