// The heap of kernels' malloc and free: one allocation of the device, in parts.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>

namespace sass {

/// Safe to use from several threads.
class DeviceHeap {
   public:
    static DeviceHeap& get();

    /// Bytes of the heap, before it is first used: cudaLimitMallocHeapSize.
    void set_size(std::size_t bytes);
    /// Aligned to 16 bytes; 0 if there is no room. 0 bytes give 0.
    std::uint64_t allocate(std::uint64_t bytes);
    /// False if nothing was allocated at this address. Freeing 0 does nothing.
    bool free(std::uint64_t address);

   private:
    std::mutex mutex_;
    std::size_t size_ = std::size_t(8) << 20;
    bool is_made_ = false;
    std::map<std::uint64_t, std::uint64_t> used_, unused_;  ///< parts: address, bytes
};

}  // namespace sass
