// The host side of CUDA's runtime, beyond what cuda_runtime.h declares. A call has completed when it returns.
#pragma once
#include <cuda_runtime.h>

#define CUDART_VERSION 12040
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4

using cudaError = cudaError_t;
inline constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDefault = 0,
                          cudaEventBlockingSync = 1, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1,
                          cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4, cudaMemAttachGlobal = 1,
                          cudaMemAttachHost = 2, cudaDeviceScheduleAuto = 0,
                          cudaDeviceScheduleBlockingSync = 4, cudaDeviceMapHost = 8,
                          cudaHostRegisterDefault = 0;
inline constexpr int cudaCpuDeviceId = -1;
inline const cudaStream_t cudaStreamLegacy = nullptr, cudaStreamPerThread = nullptr;

// --- The device: the SIMT machine, with the limits of an H200.
struct cudaDeviceProp {
    char name[256];
    int major, minor, multiProcessorCount, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor;
    int maxThreadsDim[3], maxGridSize[3], regsPerBlock, regsPerMultiprocessor, maxBlocksPerMultiProcessor;
    int clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, concurrentKernels, asyncEngineCount;
    int canMapHostMemory, unifiedAddressing, managedMemory, concurrentManagedAccess, cooperativeLaunch;
    int computeMode, integrated, deviceOverlap, kernelExecTimeoutEnabled, ECCEnabled, pciBusID, pciDeviceID;
    std::size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    std::size_t totalConstMem, memPitch, textureAlignment;
};
enum { cudaComputeModeDefault = 0, cudaComputeModeProhibited = 2 };

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* of, int device) {
    const auto get = [&](cudaDeviceAttr attribute) {
        int value = 0;
        (void)cudaDeviceGetAttribute(&value, attribute, device);
        return value;
    };
    *of = cudaDeviceProp{};
    std::snprintf(of->name, sizeof(of->name), "SIMT machine (CPU)");
    of->major = get(cudaDevAttrComputeCapabilityMajor);
    of->minor = get(cudaDevAttrComputeCapabilityMinor);
    of->multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
    of->warpSize = 32;
    of->maxThreadsPerBlock = of->maxThreadsDim[0] = of->maxThreadsDim[1] = 1024;
    of->maxThreadsDim[2] = 64;
    of->maxThreadsPerMultiProcessor = 2048;
    of->maxBlocksPerMultiProcessor = 32;
    of->maxGridSize[0] = 0x7fffffff;
    of->maxGridSize[1] = of->maxGridSize[2] = 65535;
    of->regsPerBlock = of->regsPerMultiprocessor = 65536;
    of->clockRate = of->memoryClockRate = 1'000'000;
    of->memoryBusWidth = 64;
    of->concurrentKernels = of->canMapHostMemory = of->unifiedAddressing = of->managedMemory = 1;
    of->concurrentManagedAccess = of->cooperativeLaunch = of->asyncEngineCount = 1;
    of->l2CacheSize = 50 << 20;
    of->totalGlobalMem = std::size_t(8) << 30;
    of->sharedMemPerBlock = std::size_t(get(cudaDevAttrMaxSharedMemoryPerBlock));
    of->sharedMemPerBlockOptin = std::size_t(get(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    of->sharedMemPerMultiprocessor = 228 << 10;
    of->totalConstMem = 64 << 10;
    return cudaSuccess;
}
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaThreadSynchronize() { return cudaSuccess; }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int* version) { return *version = 12000, cudaSuccess; }
inline cudaError_t cudaRuntimeGetVersion(int* version) { return *version = 12000, cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return *free = *total = std::size_t(8) << 30, cudaSuccess;
}
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
inline const char* cudaGetErrorName(cudaError_t error) { return cudaGetErrorString(error); }

// --- Occupancy: by threads and shared memory alone.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int threads,
                                                          std::size_t bytes) {
    *blocks = std::min(32, 2048 / std::max(1, (threads + 31) / 32 * 32));
    if (bytes > 0) *blocks = std::min(*blocks, int((228 << 10) / (bytes + 1024)));
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* blocks, int* threads, Kernel, std::size_t = 0,
                                               int limit = 0) {
    *threads = limit > 0 ? std::min(limit, 1024) : 1024;
    (void)cudaDeviceGetAttribute(blocks, cudaDevAttrMultiProcessorCount, 0);
    *blocks *= 2048 / *threads;
    return cudaSuccess;
}

// --- Memory.
template <class T>
cudaError_t cudaMallocManaged(T** address, std::size_t bytes, unsigned = cudaMemAttachGlobal) {
    return cudaMallocHost(address, bytes);
}
template <class T>
cudaError_t cudaHostAlloc(T** address, std::size_t bytes, unsigned) {
    return cudaMallocHost(address, bytes);
}
template <class T>
cudaError_t cudaMallocHost(T** address, std::size_t bytes, unsigned) {
    return cudaMallocHost(address, bytes);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned) {
    return *device = static_cast<T*>(host), cudaSuccess;
}
template <class T>
cudaError_t cudaMallocAsync(T** address, std::size_t bytes, cudaStream_t) {
    return cudaMalloc(address, bytes);
}
inline cudaError_t cudaFreeAsync(void* address, cudaStream_t) { return cudaFree(address); }
template <class T>
cudaError_t cudaMallocPitch(T** address, std::size_t* pitch, std::size_t width, std::size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(address, *pitch * height);
}
inline cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    for (std::size_t row = 0; row < height; ++row) {
        const cudaError_t error = cudaMemcpy(static_cast<char*>(to) + row * to_pitch,
                                             static_cast<const char*>(from) + row * from_pitch, width, kind);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t) {
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
inline cudaError_t cudaMemset2D(void* at, std::size_t pitch, int value, std::size_t width,
                                std::size_t height) {
    for (std::size_t row = 0; row < height; ++row) {
        const cudaError_t error = cudaMemset(static_cast<char*>(at) + row * pitch, value, width);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, cudaStream_t = nullptr) {
    return cudaSuccess;
}

// --- Variables of the device.
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T&) {
    return *bytes = sizeof(T), cudaSuccess;
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** address, const T& symbol) {
    *address = reinterpret_cast<P*>(const_cast<T*>(&symbol));
    return simt_register_symbol(&symbol, sizeof(T));
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
    if (offset + bytes > sizeof(T)) return cudaErrorInvalidValue;
    std::memcpy(reinterpret_cast<char*>(const_cast<std::remove_cv_t<T>*>(&symbol)) + offset, from, bytes);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    if (offset + bytes > sizeof(T)) return cudaErrorInvalidValue;
    std::memcpy(to, reinterpret_cast<const char*>(const_cast<std::remove_cv_t<T>*>(&symbol)) + offset, bytes);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t) {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

// --- Streams and events.
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return cudaStreamCreate(stream);
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
    return cudaStreamCreate(stream);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags = 0) {
    return cudaEventCreateWithFlags(event, flags);
}
