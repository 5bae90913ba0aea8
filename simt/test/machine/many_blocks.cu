// Launches that are large enough for several cores: a product of matrices, branches that diverge, atomics,
// scans of blocks. What they count must not depend on how many cores there are, nor on the order of blocks
// and warps.
#include "simt/test/agreement/check.h"

constexpr int N = 128, TILE = 16, BLOCKS = 96, THREADS = 256;

__global__ void multiply(const float* a, const float* b, float* c) {
    __shared__ float x[TILE][TILE], y[TILE][TILE];
    const int i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < N; k += TILE) {
        x[threadIdx.y][threadIdx.x] = a[i * N + k + threadIdx.x];
        y[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * N + j];
        __syncthreads();
        for (int t = 0; t < TILE; ++t) sum += x[threadIdx.y][t] * y[t][threadIdx.x];
        __syncthreads();
    }
    c[i * N + j] = sum;
}
__global__ void diverge(const unsigned* in, int* steps, int* histogram) {
    const int i = global_thread();
    int count = 0;
    for (unsigned x = in[i] % 1000 + 1; x != 1; ++count) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps[i] = count;
    atomicAdd(histogram + count % 32, 1);
}
__global__ void scan(const int* in, int* out) {
    __shared__ int sums[2][THREADS];
    int now = 0;
    sums[0][threadIdx.x] = in[global_thread()];
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        const int t = threadIdx.x;
        sums[1 - now][t] = sums[now][t] + (t >= step ? sums[now][t - step] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[global_thread()] = sums[now][threadIdx.x];
}

int main() {
    Array<float> a(N * N, [](int i) { return float(i % 7); }), b(N * N, [](int i) { return float(i % 5); }),
        c(N * N);
    multiply<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(a, b, c);
    c.expect("product", [&](int i) {
        float sum = 0;
        for (int k = 0; k < N; ++k) sum += a[i / N * N + k] * b[k * N + i % N];
        return sum;
    });

    const int n = BLOCKS * THREADS;
    Array<unsigned> in(n, [](int i) { return random_word(i); });
    Array<int> steps(n), histogram(32), out(n);
    diverge<<<BLOCKS, THREADS>>>(in, steps, histogram);
    std::vector<int> want(32);
    for (const int count : steps.download()) ++want[count % 32];
    histogram.expect("histogram", [&](int i) { return want[i]; });

    scan<<<BLOCKS, THREADS>>>(steps, out);
    int sum = 0;
    out.expect("sums", [&](int i) { return sum = (i % THREADS == 0 ? 0 : sum) + steps.download()[i]; });
    return verdict();
}
