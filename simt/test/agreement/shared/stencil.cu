// A stencil of five points with a halo in shared memory, launched several times, the arrays exchanged in
// between.
#include <utility>

#include "simt/test/agreement/check.h"

constexpr int TILE = 16;

__global__ void smooth(const float* in, float* out, int n) {
    __shared__ float tile[TILE + 2][TILE + 2];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    const auto at = [&](int u, int v) { return u < 0 || v < 0 || u >= n || v >= n ? 0.0f : in[v * n + u]; };
    const int i = threadIdx.x + 1, k = threadIdx.y + 1;
    tile[k][i] = at(x, y);
    if (threadIdx.x == 0) tile[k][0] = at(x - 1, y);
    if (threadIdx.x == TILE - 1) tile[k][TILE + 1] = at(x + 1, y);
    if (threadIdx.y == 0) tile[0][i] = at(x, y - 1);
    if (threadIdx.y == TILE - 1) tile[TILE + 1][i] = at(x, y + 1);
    __syncthreads();
    if (x < n && y < n)
        out[y * n + x] =
            0.5f * tile[k][i] + 0.125f * (tile[k][i - 1] + tile[k][i + 1] + tile[k - 1][i] + tile[k + 1][i]);
}

int main() {
    const int n = 40, rounds = 3;
    Array<float> a(n * n, [](int i) { return float(random_word(i) % 1024); }), b(n * n);
    std::vector<float> want(n * n);
    for (int i = 0; i < n * n; ++i) want[i] = a[i];
    float *from = a, *to = b;
    for (int round = 0; round < rounds; ++round, std::swap(from, to)) {
        smooth<<<dim3(3, 3), dim3(TILE, TILE)>>>(from, to, n);
        const std::vector<float> old = want;
        const auto at = [&](int x, int y) {
            return x < 0 || y < 0 || x >= n || y >= n ? 0.0f : old[y * n + x];
        };
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
                want[y * n + x] =
                    0.5f * at(x, y) + 0.125f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
    }
    b.expect("stencil", [&](int i) { return want[i]; });
    return verdict();
}
