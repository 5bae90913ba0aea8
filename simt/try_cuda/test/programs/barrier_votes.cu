// Barriers that count: __syncthreads_count, _and, _or.
// Prints: 20 0 1
// Counts: launches 1, barriers 3
#include <cstdio>

__global__ void barriers(int* out) {
    const int count = __syncthreads_count(threadIdx.x % 5 == 0);
    const int all = __syncthreads_and(threadIdx.x < 99), any = __syncthreads_or(threadIdx.x == 99);
    if (threadIdx.x == 42) out[0] = count, out[1] = all, out[2] = any;
}

int main() {
    int *out, host[3];
    cudaMalloc(&out, sizeof(host));
    barriers<<<1, 100>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%d %d %d\n", host[0], host[1], host[2]);
}
