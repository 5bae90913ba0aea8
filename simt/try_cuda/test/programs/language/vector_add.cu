// A grid-stride loop; the launch is in a macro.
// Prints: right
// Counts: launches 1, requests 96, sectors 384, lanes 32.0
#include <cstdio>
#include <vector>

#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)

__global__ void add(const int* a, const int* b, int* sum, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum[i] = a[i] + b[i];
}

int main() {
    const int n = 1024;
    std::vector<int> host(n, 1);
    int *a, *b, *sum;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMalloc(&sum, n * sizeof(int));
    cudaMemcpy(a, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(b, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    LAUNCH(add, 2, 128, a, b, sum, n);
    cudaMemcpy(host.data(), sum, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int each : host)
        if (each != 2) return std::puts("wrong"), 1;
    std::puts("right");
    cudaFree(a);
    cudaFree(b);
    cudaFree(sum);
}
