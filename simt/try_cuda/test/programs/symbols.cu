// Variables of the device: copied from and to, and by their address.
// Prints: 64 7
// Counts: launches 1, atomics 2
#include <cstdio>

__device__ unsigned counter;
__device__ int values[4];

__global__ void count() {
    atomicAdd(&counter, 1u);
    if (threadIdx.x == 0) values[2] += 5;
}

int main() {
    const int host[4] = {0, 1, 2, 3};
    int *address, back[4];
    unsigned counted = 0;
    cudaGetSymbolAddress((void**)&address, values);
    cudaMemcpy(address, host, sizeof(host), cudaMemcpyHostToDevice);
    count<<<1, 64>>>();
    cudaMemcpyFromSymbol(&counted, counter, sizeof(counted));
    cudaMemcpy(back, address, sizeof(back), cudaMemcpyDeviceToHost);
    std::printf("%u %d\n", counted, back[2]);
}
