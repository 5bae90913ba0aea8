// The subset of the CUDA runtime API that kernels/fast/scan calls. Memory is host memory, launches are
// synchronous, and a Fault propagates as an exception.
#pragma once
#include <cstdlib>
#include <cstring>
#include <map>

#include "tests/emulation/emulator/emulator.h"

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorIllegalState };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount, cudaDevAttrMaxSharedMemoryPerBlockOptin };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
struct cudaFuncAttributes {
    int ptxVersion;
};
using cudaStream_t = void*;
struct dim3 {
    unsigned x;
    dim3(unsigned x_ = 1) : x(x_) {}
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
};

namespace emulation {

/// The simulated GPU: its properties, the schedule of its kernels, and its last launch.
struct Gpu {
    int device = 0, multiprocessors = 3, ptx_version = 90, shared_bytes = SHARED_BYTES;
    Schedule schedule = {0, 3};
    int launches = 0;
    Extent last = {0, 0, 0};
    std::map<const void*, std::size_t> room;  ///< per kernel: its maximum dynamic shared memory, in bytes
    static constexpr std::size_t ROOM = 48 * 1024;  ///< the default maximum
    static constexpr unsigned MOST_THREADS = 1024;  ///< per block
};
inline Gpu gpu;

}  // namespace emulation

template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
    constexpr std::size_t LINE = 256;
    *memory = static_cast<T*>(std::aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE));
    return *memory != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaFree(void* memory) {
    std::free(memory);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMallocHost(T** memory, std::size_t bytes) {
    return cudaMalloc(memory, bytes);
}
inline cudaError_t cudaFreeHost(void* memory) { return cudaFree(memory); }
inline cudaError_t cudaMemset(void* memory, int byte, std::size_t bytes) {
    std::memset(memory, byte, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* memory, int byte, std::size_t bytes, cudaStream_t) {
    return cudaMemset(memory, byte, bytes);
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) {
    *device = emulation::gpu.device;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    const bool shared = attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin;
    *value = shared ? emulation::gpu.shared_bytes : emulation::gpu.multiprocessors;
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
    attributes->ptxVersion = emulation::gpu.ptx_version;
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute, std::size_t bytes) {
    if (bytes > std::size_t(emulation::gpu.shared_bytes)) return cudaErrorInvalidValue;
    emulation::gpu.room[reinterpret_cast<const void*>(kernel)] = bytes;
    return cudaSuccess;
}

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments... arguments) {
    auto& gpu = emulation::gpu;
    const auto found = gpu.room.find(reinterpret_cast<const void*>(kernel));
    const std::size_t room = found == gpu.room.end() ? gpu.ROOM : found->second;
    const emulation::Extent extent = {config->gridDim.x, config->blockDim.x, config->dynamicSmemBytes};
    if (extent.shared_bytes > room || extent.threads > gpu.MOST_THREADS) return cudaErrorInvalidValue;
    emulation::run(extent, gpu.schedule, [&] { kernel(arguments...); });
    ++gpu.launches;
    gpu.last = extent;
    return cudaSuccess;
}
