// Two translation units: a device function, a variable of the device and a kernel of the other one. nvcc
// makes a NOP of the __syncwarp, so it is known from the PTX alone, of which a linked program has one text a
// unit.
// With: units/scale.cu
// Options: -rdc=true
// Prints: 47 94
// Counts: launches 2
#include <cstdio>

extern __device__ int offset;
extern __device__ int scaled(int x);
extern __global__ void scale(int* value);

__global__ void set(int* value) {
    __shared__ volatile int of_lane[32];
    of_lane[threadIdx.x] = scaled(threadIdx.x);
    __syncwarp();
    if (threadIdx.x == 0) *value = of_lane[21] + offset;
}

int main() {
    int* value;
    cudaMallocManaged(&value, sizeof(int));
    set<<<1, 32>>>(value);
    cudaDeviceSynchronize();
    std::printf("%d ", *value);
    scale<<<1, 1>>>(value);
    cudaDeviceSynchronize();
    std::printf("%d\n", *value);
}
