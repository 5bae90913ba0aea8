// Launches whose counts for a prediction are known: see test_foretold.py.
#include <cstdio>

constexpr int BLOCKS = 8192, THREADS = 256;
constexpr long N = 1L * BLOCKS * THREADS;

/// Each block reads its elements twice, from both sides, and writes them once.
__global__ void twice(const float* in, float* out) {
    const long i = 1L * blockIdx.x * THREADS + threadIdx.x;
    const long mirrored = 1L * blockIdx.x * THREADS + (THREADS - 1 - threadIdx.x);
    out[i] = in[i] + in[mirrored];
}

/// Only the first warp has a lane that stores; the others pass the barrier.
__global__ void idle(float* out, float value) {
    __shared__ float word[THREADS];
    if (threadIdx.x < 32) word[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = word[blockIdx.x % 32];
}

/// Blocks wait for the one before.
__global__ void chain(volatile int* turn) {
    while (threadIdx.x == 0 && *turn < int(blockIdx.x)) {
    }
    __syncthreads();
    if (threadIdx.x == 0) *turn = blockIdx.x + 1;
}

int main() {
    float *in, *out;
    int* turn;
    cudaMalloc(&in, N * sizeof(float));
    cudaMalloc(&out, N * sizeof(float));
    cudaMalloc(&turn, sizeof(int));
    cudaMemset(in, 0, N * sizeof(float));
    cudaMemset(turn, 0, sizeof(int));
    twice<<<BLOCKS, THREADS>>>(in, out);
    idle<<<1, THREADS>>>(out, 1);
    chain<<<600, THREADS>>>(turn);
    std::puts(cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
}
