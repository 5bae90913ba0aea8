// What calls ask of the current device, each once in a process: its size, and leave for large shared memory.
#pragma once
#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>

namespace trial {

/// An empty kernel, whose attributes tell for which architecture this program was compiled.
template <int = 0>
__global__ void compiled_kernel() {}

/// Devices whose facts are kept; those of further ones are asked for at every call.
inline constexpr int MOST_DEVICES = 64;

struct Device {
    int ordinal = 0, multiprocessors = 0;
    int shared_bytes = 0;          ///< that a block may have
    bool has_bulk_copies = false;  ///< and this program has code for them

    /// The current device.
    static cudaError_t current(Device& device) {
        static std::atomic<std::uint64_t> known[MOST_DEVICES];
        cudaError_t status = cudaGetDevice(&device.ordinal);
        if (status != cudaSuccess) return status;
        const bool kept = device.ordinal < MOST_DEVICES;
        if (kept && device.unpack(known[device.ordinal].load(std::memory_order_relaxed))) return cudaSuccess;
        const auto ask = [&](cudaDeviceAttr attribute, int& value) {
            if (status == cudaSuccess) status = cudaDeviceGetAttribute(&value, attribute, device.ordinal);
        };
        ask(cudaDevAttrMultiProcessorCount, device.multiprocessors);
        ask(cudaDevAttrMaxSharedMemoryPerBlockOptin, device.shared_bytes);
        cudaFuncAttributes compiled = {};
        if (status == cudaSuccess) status = cudaFuncGetAttributes(&compiled, compiled_kernel<0>);
        device.has_bulk_copies = compiled.ptxVersion >= 90;
        if (status == cudaSuccess && kept)
            known[device.ordinal].store(device.packed(), std::memory_order_relaxed);
        return status;
    }

   private:
    static constexpr std::uint64_t KNOWN = 1ull << 63, BULK = 1ull << 62;
    std::uint64_t packed() const {
        return KNOWN | (has_bulk_copies ? BULK : 0) | static_cast<std::uint64_t>(multiprocessors) << 32 |
               static_cast<unsigned>(shared_bytes);
    }
    bool unpack(std::uint64_t word) {
        has_bulk_copies = (word & BULK) != 0;
        multiprocessors = static_cast<int>(word >> 32 & 0xffff);
        shared_bytes = static_cast<int>(word & 0xffffffff);
        return (word & KNOWN) != 0;
    }
};

/// Leave for a kernel to have this much dynamic shared memory, asked for once on each device. One object,
/// static, a kernel.
class SharedMemoryLeave {
   public:
    template <class... Parameters>
    cudaError_t ask(void (*kernel)(Parameters...), std::size_t bytes, const Device& device) {
        constexpr std::size_t WITHOUT_LEAVE = 48 * 1024;
        if (bytes <= WITHOUT_LEAVE) return cudaSuccess;
        const bool kept = device.ordinal < MOST_DEVICES;
        const std::uint64_t own = kept ? 1ull << device.ordinal : 0;
        if ((given_.load(std::memory_order_relaxed) & own) != 0) return cudaSuccess;
        const cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                        static_cast<int>(bytes));
        if (status == cudaSuccess) given_.fetch_or(own, std::memory_order_relaxed);
        return status;
    }

   private:
    std::atomic<std::uint64_t> given_{0};
};

}  // namespace trial
