// The CUDA API of the SIMT machine. g++ finds this header in place of the toolkit's. It declares the part of
// CUDA that textbook kernels use; code that uses anything else does not compile.
#pragma once
#define SIMT_MACHINE 1

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include <qualifiers.h>
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __CUDA_ARCH__ 900

// --- Indices.
struct uint3 {
    unsigned x, y, z;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 extent) : x(extent.x), y(extent.y), z(extent.z) {}
};

/// Set by the machine before it resumes a lane. They are const because they do not change while a kernel
/// runs: the compiler may read them once, and does not instrument the reads.
extern "C" {
extern __thread const uint3 threadIdx;
extern __thread const uint3 blockIdx;
extern __thread const uint3 blockDim;
extern __thread const uint3 gridDim;
}
inline constexpr int warpSize = 32;

// --- Synchronisation and warp intrinsics.
enum class SimtWarpOp : int {
    sync,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    ballot,
    all,
    match_any,
    match_all,
    add_signed,
    min_signed,
    max_signed,
    add_unsigned,
    min_unsigned,
    max_unsigned,
    bit_and,
    bit_or,
    bit_xor
};
extern "C" {
void simt_block_barrier();
std::uint64_t simt_warp(SimtWarpOp op, unsigned mask, std::uint64_t value, int argument, int width);
void simt_begin_atomic(const volatile void* address, std::size_t size, const void* site);
void simt_end_atomic(const volatile void* address);
void simt_fence(int scope);
void simt_sleep();
}

#define __syncthreads() simt_block_barrier()
__attribute__((always_inline)) inline void __threadfence_block() { simt_fence(0); }
__attribute__((always_inline)) inline void __threadfence() { simt_fence(1); }
__attribute__((always_inline)) inline void __threadfence_system() { simt_fence(1); }
inline void __nanosleep(unsigned) { simt_sleep(); }

__attribute__((always_inline)) inline void __syncwarp(unsigned mask = 0xffffffffu) {
    simt_warp(SimtWarpOp::sync, mask, 0, 0, 32);
}

namespace simt::detail {
template <class T>
__attribute__((always_inline)) inline T shuffle(SimtWarpOp op, unsigned mask, T value, int argument,
                                                int width) {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8,
                  "shuffles take arithmetic types of up to 8 bytes");
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    bits = simt_warp(op, mask, bits, argument, width);
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
}  // namespace simt::detail

template <class T>
__attribute__((always_inline)) inline T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    return simt::detail::shuffle(SimtWarpOp::shuffle, mask, value, source, width);
}
template <class T>
__attribute__((always_inline)) inline T __shfl_up_sync(unsigned mask, T value, unsigned delta,
                                                       int width = 32) {
    return simt::detail::shuffle(SimtWarpOp::shuffle_up, mask, value, int(delta), width);
}
template <class T>
__attribute__((always_inline)) inline T __shfl_down_sync(unsigned mask, T value, unsigned delta,
                                                         int width = 32) {
    return simt::detail::shuffle(SimtWarpOp::shuffle_down, mask, value, int(delta), width);
}
template <class T>
__attribute__((always_inline)) inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
    return simt::detail::shuffle(SimtWarpOp::shuffle_xor, mask, value, lanes, width);
}
__attribute__((always_inline)) inline unsigned __ballot_sync(unsigned mask, int predicate) {
    return unsigned(simt_warp(SimtWarpOp::ballot, mask, predicate != 0, 0, 32));
}
__attribute__((always_inline)) inline int __any_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
__attribute__((always_inline)) inline int __all_sync(unsigned mask, int predicate) {
    return int(simt_warp(SimtWarpOp::all, mask, predicate != 0, 0, 32));
}

#define SIMT_REDUCE(name, type, op)                                                \
    __attribute__((always_inline)) inline type name(unsigned mask, type value) {   \
        return type(simt_warp(SimtWarpOp::op, mask, std::uint64_t(value), 0, 32)); \
    }
SIMT_REDUCE(__reduce_add_sync, int, add_signed)
SIMT_REDUCE(__reduce_min_sync, int, min_signed)
SIMT_REDUCE(__reduce_max_sync, int, max_signed)
SIMT_REDUCE(__reduce_add_sync, unsigned, add_unsigned)
SIMT_REDUCE(__reduce_min_sync, unsigned, min_unsigned)
SIMT_REDUCE(__reduce_max_sync, unsigned, max_unsigned)
SIMT_REDUCE(__reduce_and_sync, unsigned, bit_and)
SIMT_REDUCE(__reduce_or_sync, unsigned, bit_or)
SIMT_REDUCE(__reduce_xor_sync, unsigned, bit_xor)
#undef SIMT_REDUCE

// --- Bit and arithmetic intrinsics.
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned bits) {
    return unsigned((std::uint64_t(high) << 32 | low) >> (bits & 31));
}
template <class T>
__attribute__((always_inline)) inline T __ldg(const T* address) {
    return *address;
}
template <class T>
__attribute__((always_inline)) inline void __stwb(T* address, T value) {
    *address = value;
}
using std::max;
using std::min;

// --- Atomics on shared and global memory. Not inlined and not instrumented, so that a call is one access.
#define SIMT_ATOMIC(name, update)                                                                         \
    template <class T>                                                                                    \
    __attribute__((noinline, no_sanitize_thread)) T name(T* address, std::common_type_t<T> value) {       \
        simt_begin_atomic(address, sizeof(T), __builtin_return_address(0));                               \
        T old, next;                                                                                      \
        __atomic_load(address, &old, __ATOMIC_SEQ_CST);                                                   \
        do {                                                                                              \
            next = (update);                                                                              \
        } while (                                                                                         \
            !__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
        simt_end_atomic(address);                                                                         \
        return old;                                                                                       \
    }
SIMT_ATOMIC(atomicAdd, old + value)
SIMT_ATOMIC(atomicSub, old - value)
SIMT_ATOMIC(atomicExch, value)
SIMT_ATOMIC(atomicMin, value < old ? value : old)
SIMT_ATOMIC(atomicMax, old < value ? value : old)
SIMT_ATOMIC(atomicAnd, old& value)
SIMT_ATOMIC(atomicOr, old | value)
SIMT_ATOMIC(atomicXor, old ^ value)
SIMT_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, (old == 0 || old > value) ? value : old - 1)
#undef SIMT_ATOMIC

template <class T>
__attribute__((noinline, no_sanitize_thread)) T atomicCAS(T* address, std::common_type_t<T> compare,
                                                          std::common_type_t<T> value) {
    simt_begin_atomic(address, sizeof(T), __builtin_return_address(0));
    T expected = compare, next = value;
    __atomic_compare_exchange(address, &expected, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    simt_end_atomic(address);
    return expected;
}

// --- The host side of the runtime. Every call completes before it returns; streams execute in order.
enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidSymbol = 13,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorIllegalState = 401,
    cudaErrorNotReady = 600,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999,
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4,
};
using cudaStream_t = struct SimtStream*;

struct cudaLaunchAttribute;
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute* attrs = nullptr;
    unsigned numAttrs = 0;
    bool cooperative = false;  // stands for the attribute of this name
};

extern "C" {
cudaError_t simt_malloc(void** address, std::size_t bytes);
cudaError_t simt_malloc_host(void** address, std::size_t bytes);
cudaError_t cudaFree(void* address);
cudaError_t cudaFreeHost(void* address);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* address, int value, std::size_t bytes);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t error);
cudaError_t simt_register_symbol(const void* address, std::size_t bytes);
}
cudaError_t simt_launch(const void* kernel, const cudaLaunchConfig_t& config, void (*invoke)(const void*),
                        const void* call, std::size_t call_bytes);

template <class T>
cudaError_t cudaMalloc(T** address, std::size_t bytes) {
    return simt_malloc(reinterpret_cast<void**>(address), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T** address, std::size_t bytes) {
    return simt_malloc_host(reinterpret_cast<void**>(address), bytes);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr) {
    return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void* address, int value, std::size_t bytes, cudaStream_t = nullptr) {
    return cudaMemset(address, value, bytes);
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    *stream = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

// The device, as programs ask for it: what simt::set_device() says, by default an H200.
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
struct cudaFuncAttributes {
    std::size_t sharedSizeBytes = 0, constSizeBytes = 0, localSizeBytes = 0;
    int maxThreadsPerBlock = 1024, numRegs = 32, ptxVersion = 0, binaryVersion = 90;
};
extern "C" {
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t simt_architecture(int* version);
cudaError_t simt_allow_dynamic_shared(const void* kernel, int bytes);
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
    return simt_architecture(&attributes->ptxVersion);
}
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int bytes) {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    return simt_allow_dynamic_shared(reinterpret_cast<const void*>(kernel), bytes);
}

// There is one device, hence no peer access. An event has completed as soon as it is recorded; between two of
// them lies the host's time.
using cudaEvent_t = struct SimtEvent*;
inline constexpr unsigned cudaEventDisableTiming = 2;
extern "C" {
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaErrorPeerAccessUnsupported; }

/// Launch a kernel like the CUDA runtime's function of this name. Throws simt::Fault if the kernel faults.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
    struct Call {
        void (*kernel)(Parameters...);
        std::tuple<std::decay_t<Parameters>...> arguments;
        static void invoke(const void* self) {
            const Call& call = *static_cast<const Call*>(self);
            std::apply(call.kernel, call.arguments);
        }
    };
    const Call call{kernel, {std::forward<Arguments>(arguments)...}};
    return simt_launch(reinterpret_cast<const void*>(kernel), *config, &Call::invoke, &call, sizeof(call));
}

/// Define the array that a kernel declares as `extern __shared__ float buffer[];`. Put
/// SIMT_DYNAMIC_SHARED(float, buffer) in the kernel's namespace, in the file of the launch. Accesses are
/// checked against the launch's dynamicSmemBytes.
#define SIMT_DYNAMIC_SHARED(type, name) alignas(16) thread_local type name[227 * 1024 / sizeof(type)]
