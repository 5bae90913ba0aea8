// What the programs of the runtime's calls share: every call is printed with what it returns. What an H200
// returned is recorded beside them, in <program>.nvidia-h200.txt.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define SAY(call) std::printf("%s -> %s\n", #call, cudaGetErrorName(call))

/// What cudaPeekAtLastError and two of cudaGetLastError return.
#define LAST()                                                                              \
    do {                                                                                    \
        const cudaError_t peeked = cudaPeekAtLastError(), got = cudaGetLastError();         \
        std::printf("   last: %s %s %s\n", cudaGetErrorName(peeked), cudaGetErrorName(got), \
                    cudaGetErrorName(cudaGetLastError()));                                  \
    } while (0)

static __constant__ int factor[4] = {1, 2, 3, 4};
static __device__ int counter = 7;

static __global__ void add(int* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += factor[i & 3] + counter;
}
static __global__ void twice(int* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
}

/// Prints the first n words.
inline void show(const char* what, const int* device, int n) {
    std::vector<int> words(n);
    cudaMemcpy(words.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("   %s:", what);
    for (const int word : words) std::printf(" %d", word);
    std::puts("");
}

inline int *data, *more;  // 4,096 bytes each, on the device
inline void begin() {
    SAY(cudaMalloc(&data, 4096));
    SAY(cudaMalloc(&more, 4096));
    SAY(cudaMemset(data, 0, 4096));
    SAY(cudaMemset(more, 0, 4096));
}
