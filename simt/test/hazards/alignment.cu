// Vectors lie at multiples of their size.
#include "simt/test/hazards/program.h"

namespace {
using namespace hazards;

constexpr int N = 32;

/// Reads and writes vectors of type T that begin `shift` floats into the memory.
template <class T>
__global__ void by_vectors(float* data, int shift) {
    T* const vectors = reinterpret_cast<T*>(data + shift);
    T mine = vectors[threadIdx.x];
    *reinterpret_cast<int*>(&mine) ^= 1;
    vectors[threadIdx.x] = mine;
}
template <class T>
__global__ void by_shared_vectors(float* data, int shift) {
    __shared__ alignas(16) float tile[(N + 1) * 4];
    for (int i = threadIdx.x; i < (N + 1) * 4; i += blockDim.x) tile[i] = data[i];
    __syncthreads();
    const T mine = reinterpret_cast<T*>(tile + shift)[threadIdx.x];
    reinterpret_cast<T*>(data)[threadIdx.x] = mine;
}
__global__ void add_to_long(float* data, int shift) {
    atomicAdd(reinterpret_cast<unsigned long long*>(data + shift) + threadIdx.x, 1ull);
}
template <class Kernel>
std::string run_shifted(Kernel kernel, int shift) {
    Device<float> data(std::vector<float>((N + 1) * 4, 1.f));
    (void)launch(kernel, 1, N, nullptr, data.data(), shift);
    const bool has_ended = cudaDeviceSynchronize() == cudaSuccess;
    return has_ended ? "" : "it fails";
}
template <void (*KERNEL)(float*, int), int SHIFT>
std::string run_kernel() {
    return run_shifted(KERNEL, SHIFT);
}

const Bench alignment(
    "alignment",
    {
        {"float4_aligned", Expected::clean, "a multiple of 16 bytes", run_kernel<by_vectors<float4>, 4>},
        {"float4_misaligned", Expected::misaligned, "4 bytes further", run_kernel<by_vectors<float4>, 1>},
        {"long_aligned", Expected::clean, "a multiple of 8 bytes", run_kernel<by_vectors<long long>, 2>},
        {"long_misaligned", Expected::misaligned, "4 bytes further", run_kernel<by_vectors<long long>, 3>},
        {"double_aligned", Expected::clean, "a multiple of 8 bytes", run_kernel<by_vectors<double>, 2>},
        {"double_misaligned", Expected::misaligned, "4 bytes further", run_kernel<by_vectors<double>, 1>},
        {"shared_float4_aligned", Expected::clean, "a multiple of 16 bytes",
         run_kernel<by_shared_vectors<float4>, 4>},
        {"shared_float4_misaligned", Expected::misaligned, "8 bytes further",
         run_kernel<by_shared_vectors<float4>, 2>},
        {"long_atomic_aligned", Expected::clean, "a multiple of 8 bytes", run_kernel<add_to_long, 2>},
        {"long_atomic_misaligned", Expected::misaligned, "4 bytes further", run_kernel<add_to_long, 1>},
    });

}  // namespace
