// extern __shared__ outside of any function, with two dimensions, and with an alignment.
// Prints: 5 6
// Counts: launches 2, requests 6, conflicts 0, barriers 2
#include <cstdio>

extern __shared__ volatile int outside[];

__global__ void first(int* out) {
    outside[threadIdx.x] = 5;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = outside[31];
}
__global__ void second(int* out) {
    extern __shared__ __align__(16) int inside[][2];
    inside[threadIdx.x][0] = 6;
    __syncthreads();
    if (threadIdx.x == 0) out[1] = inside[15][0];
}

int main() {
    int *out, host[2];
    cudaMalloc(&out, sizeof(host));
    first<<<1, 32, 32 * sizeof(int)>>>(out);
    second<<<1, 16, 32 * sizeof(int)>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", host[0], host[1]);
}
