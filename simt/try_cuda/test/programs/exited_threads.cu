// Threads that have ended are not awaited at a barrier.
// Prints: 1 0
// Counts: launches 1, barriers 1
#include <cstdio>

__global__ void some(int* data) {
    if (threadIdx.x >= 32) return;
    __syncthreads();
    data[threadIdx.x] = 1;
}

int main() {
    int* data;
    cudaMallocManaged(&data, 64 * sizeof(int));
    data[40] = 0;
    some<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", data[31], data[40]);
}
