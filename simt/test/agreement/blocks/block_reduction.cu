// Sums of a block in four ways: a tree with diverging lanes, one without, one that ends in shuffles, and by
// warps.
#include "simt/test/agreement/check.h"

constexpr int THREADS = 256;

__global__ void interleaved(const int* in, int* out) {
    __shared__ int row[THREADS];
    const int t = threadIdx.x;
    row[t] = in[global_thread()];
    __syncthreads();
    for (int stride = 1; stride < THREADS; stride *= 2) {
        if (t % (2 * stride) == 0) row[t] += row[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = row[0];
}

__global__ void sequential(const int* in, int* out) {
    __shared__ int row[THREADS];
    const int t = threadIdx.x;
    row[t] = in[global_thread()];
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (t < stride) row[t] += row[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = row[0];
}

__global__ void with_shuffles(const int* in, int* out) {
    __shared__ int row[THREADS];
    const int t = threadIdx.x;
    row[t] = in[global_thread()];
    __syncthreads();
    for (int stride = THREADS / 2; stride >= 32; stride /= 2) {
        if (t < stride) row[t] += row[t + stride];
        __syncthreads();
    }
    if (t < 32) {
        int sum = row[t];
        for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0u, sum, k);
        if (t == 0) out[blockIdx.x] = sum;
    }
}

__global__ void by_warps(const int* in, int* out) {
    __shared__ int sums[THREADS / 32];
    const int t = threadIdx.x;
    const int sum = __reduce_add_sync(~0u, in[global_thread()]);
    if (t % 32 == 0) sums[t / 32] = sum;
    __syncthreads();
    if (t < THREADS / 32) {
        int total = sums[t];
        for (int k = THREADS / 64; k > 0; k /= 2) total += __shfl_xor_sync(0xff, total, k);
        if (t == 0) out[blockIdx.x] = total;
    }
}

int main() {
    const int blocks = 2, n = blocks * THREADS;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); });
    for (const auto kernel : {interleaved, sequential, with_shuffles, by_warps}) {
        Array<int> out(blocks);
        kernel<<<blocks, THREADS>>>(in, out);
        out.expect("sum", [&](int block) {
            int sum = 0;
            for (int t = 0; t < THREADS; ++t) sum += in[block * THREADS + t];
            return sum;
        });
    }
    return verdict();
}
