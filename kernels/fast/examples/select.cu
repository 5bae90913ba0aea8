// The indices of all elements that are below a limit, into memory that the program itself provides.
#include <cstdio>
#include <vector>

#include "kernels/fast/all.cuh"

/// 0, 1, 2, ..
struct Indices {
    __host__ __device__ long long operator[](long long i) const { return i; }
};

/// Whether the element at an index is below a limit.
struct IsLow {
    const float* of;
    float limit;
    __host__ __device__ bool operator()(long long i) const { return of[i] < limit; }
};

int main() {
    constexpr long long N = 50'000;
    std::vector<float> heights(N);
    for (long long i = 0; i < N; ++i) heights[i] = static_cast<float>(i * 7919 % 1000);
    float* on_device = nullptr;
    long long *indices = nullptr, *number = nullptr, count = 0;
    void* bytes = nullptr;
    const std::size_t needed = trial::bytes_needed<long long>(N);
    cudaError_t status = cudaMalloc(&on_device, N * sizeof(float));
    if (status == cudaSuccess) status = cudaMalloc(&indices, N * sizeof(*indices));
    if (status == cudaSuccess) status = cudaMalloc(&number, sizeof(*number));
    if (status == cudaSuccess) status = cudaMalloc(&bytes, needed);
    if (status == cudaSuccess)
        status = cudaMemcpy(on_device, heights.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = trial::select_if({bytes, needed}, Indices{}, indices, number, N, IsLow{on_device, 10.0f},
                                  nullptr);
    if (status == cudaSuccess) status = cudaMemcpy(&count, number, sizeof(count), cudaMemcpyDeviceToHost);
    std::vector<long long> found(count);
    if (status == cudaSuccess)
        status = cudaMemcpy(found.data(), indices, count * sizeof(*indices), cudaMemcpyDeviceToHost);
    for (void* const each :
         {static_cast<void*>(on_device), static_cast<void*>(indices), static_cast<void*>(number), bytes})
        (void)cudaFree(each);

    std::vector<long long> expected;
    for (long long i = 0; i < N; ++i)
        if (heights[i] < 10) expected.push_back(i);
    std::printf("%s: %lld of %lld are low\n", cudaGetErrorString(status), count, N);
    return status == cudaSuccess && found == expected ? 0 : 1;
}
