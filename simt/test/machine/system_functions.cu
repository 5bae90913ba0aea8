// What the driver provides to kernels: printf, malloc, free, new, delete. The output of an H200 is recorded
// in system_functions.nvidia-h200.txt.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void conversions(const char* text, double x) {
    const int used =
        printf("%d %5d|%-5d|%05d %u %x %X %o %c %%\n", -7, 42, 42, 42, 4000000000u, 255, 255, 8, 'c');
    printf("%s|%8s|%-8s|%.2s\n", text, text, "literal", text);
    printf("%f %.3f %10.2f %e %g %a\n", x, x, x, x, x, x);
    printf("%lld %llu %llx %ld %zu\n", -(1ll << 40), 1ull << 63, 1ull << 63, -5l, sizeof(int));
    printf("%*d|%-*d|%.*f\n", 6, 1, 6, 2, 3, x);
    printf("%p\n", reinterpret_cast<void*>(0x1234));
    printf("%d conversions, %d without any\n", used, printf("no conversion\n"));
}
__global__ void by_threads() {
    if (threadIdx.x % 2 == 0) printf("block %d, thread %d\n", blockIdx.x, threadIdx.x);
}
__global__ void take(int** parts, int* sums) {
    int* const part = static_cast<int*>(malloc(4 * sizeof(int)));
    for (int i = 0; i < 4; ++i) part[i] = threadIdx.x + i;
    parts[threadIdx.x] = part;
    double* const more = new double[2];
    more[1] = threadIdx.x;
    sums[threadIdx.x] = static_cast<int>(more[1]);
    delete[] more;
}
__global__ void give_back(int** parts, int* sums) {
    for (int i = 0; i < 4; ++i) sums[threadIdx.x] += parts[threadIdx.x][i];
    free(parts[threadIdx.x]);
}
__global__ void take_too_much(bool* is_null) { *is_null = malloc(size_t(1) << 40) == nullptr; }

int main() {
    char* text;
    cudaMallocManaged(&text, 6);
    for (int i = 0; i < 6; ++i) text[i] = "hello"[i];
    conversions<<<1, 1>>>(text, 3.14159265358979);
    std::printf("before the host waits\n");
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int block = 0; block < 3; ++block) by_threads<<<1, 5>>>();
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));

    int **parts, *sums;
    bool* is_null;
    cudaMalloc(&parts, 256 * sizeof(int*));
    cudaMallocManaged(&sums, 256 * sizeof(int));
    cudaMallocManaged(&is_null, 1);
    for (int round = 0; round < 100; ++round) {  // the heap has 8 MiB: what is given back is taken again
        take<<<1, 256>>>(parts, sums);
        give_back<<<1, 256>>>(parts, sums);
    }
    take_too_much<<<1, 1>>>(is_null);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int wrong = 0;
    for (int i = 0; i < 256; ++i) wrong += sums[i] != 5 * i + 6;
    std::printf("%d wrong, null %d\n", wrong, *is_null);
    return 0;
}
