// cuRAND within kernels: a sequence for each thread.
// Needs: curand_kernel.h
// Prints: right
// Counts: launches 1
#include <curand_kernel.h>
#include <cstdio>

__global__ void draw(float* out) {
    curandStatePhilox4_32_10_t state;
    curand_init(1, threadIdx.x, 0, &state);
    float sum = 0;
    for (int i = 0; i < 100; i++) sum += curand_uniform(&state);
    out[threadIdx.x] = sum / 100;
}

int main() {
    float *out, sum = 0;
    cudaMallocManaged(&out, 64 * sizeof(float));
    draw<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) sum += out[i] / 64;
    std::printf("%s\n", sum > 0.48f && sum < 0.52f ? "right" : "wrong");
}
