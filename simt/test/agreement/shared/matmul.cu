// A matrix product by tiles in shared memory, of a size that is no multiple of the tile; and one without
// tiles.
#include "simt/test/agreement/check.h"

constexpr int TILE = 16;

__global__ void tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        const int k = first + threadIdx.x, l = first + threadIdx.y;
        left[threadIdx.y][threadIdx.x] = y < n && k < n ? a[y * n + k] : 0;
        right[threadIdx.y][threadIdx.x] = l < n && x < n ? b[l * n + x] : 0;
        __syncthreads();
        for (int m = 0; m < TILE; ++m) sum += left[threadIdx.y][m] * right[m][threadIdx.x];
        __syncthreads();
    }
    if (x < n && y < n) c[y * n + x] = sum;
}

__global__ void plain(const float* a, const float* b, float* c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

int main() {
    const int n = 41;
    Array<float> a(n * n, [](int i) { return float(random_word(i) % 16); });
    Array<float> b(n * n, [](int i) { return float(random_word(i + 7777) % 16); }), c(n * n);
    const auto want = [&](int i) {
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
        return sum;
    };
    tiled<<<dim3(3, 3), dim3(TILE, TILE)>>>(a, b, c, n);
    c.expect("tiled", want);
    plain<<<dim3(2, 6), dim3(32, 8)>>>(a, b, c, n);
    c.expect("plain", want);
    return verdict();
}
