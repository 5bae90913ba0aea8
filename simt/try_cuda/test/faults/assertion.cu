// Fault: assertion `data\[threadIdx.x\] == 0` failed at .*/assertion.cu:8
// At: assertion.cu:8
// Block: [01]
#include <cassert>

__global__ void faulty(int* data) {
    if (blockIdx.x == 0) data[threadIdx.x] = 0;
    if (blockIdx.x == 0 && threadIdx.x == 7) data[threadIdx.x] = 1, assert(data[threadIdx.x] == 0);
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<2, 64>>>(data);
    return cudaDeviceSynchronize();
}
