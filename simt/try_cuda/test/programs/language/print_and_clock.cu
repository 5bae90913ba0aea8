// printf, assert and clock64 in a kernel.
// Prints: thread 2 of block 1
// Counts: launches 1
#include <cassert>
#include <cstdio>

__global__ void say() {
    const long long start = clock64();
    assert(blockDim.x == 4);
    if (blockIdx.x == 1 && threadIdx.x == 2) printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
    assert(clock64() >= start);
}

int main() {
    say<<<2, 4>>>();
    return cudaDeviceSynchronize();
}
