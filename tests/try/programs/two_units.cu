// Two translation units: a device function, a variable of the device and a kernel of the other one.
// With: units/scale.cu
// Options: -rdc=true
// Prints: 47 94
// Counts: launches 2
#include <cstdio>

extern __device__ int offset;
extern __device__ int scaled(int x);
extern __global__ void scale(int* value);

__global__ void set(int* value) { *value = scaled(21) + offset; }

int main() {
    int* value;
    cudaMallocManaged(&value, sizeof(int));
    set<<<1, 1>>>(value);
    cudaDeviceSynchronize();
    std::printf("%d ", *value);
    scale<<<1, 1>>>(value);
    cudaDeviceSynchronize();
    std::printf("%d\n", *value);
}
