// __constant__ memory is no global memory: reading it takes no sectors.
// Prints: 60
// Counts: launches 1, requests 1, sectors 1
#include <cstdio>

__constant__ int weights[3];
__constant__ const int base = 0;

__global__ void weigh(int* out) { *out = base + weights[0] + weights[1] + weights[2]; }

int main() {
    const int host[3] = {10, 20, 30};
    cudaMemcpyToSymbol(weights, host, sizeof(host));
    int *out, sum;
    cudaMalloc(&out, sizeof(int));
    weigh<<<1, 1>>>(out);
    cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", sum);
}
