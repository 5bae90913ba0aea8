// Managed memory: the host writes it, the kernel adds, the host reads.
// Prints: 42 8
// Counts: launches 1, requests 4
#include <cstdio>

__managed__ int global = 7;

__global__ void increment(int* value) {
    *value += 1;
    global += 1;
}

int main() {
    int* value;
    cudaMallocManaged(&value, sizeof(int));
    *value = 41;
    increment<<<1, 1>>>(value);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", *value, global);
    cudaFree(value);
}
