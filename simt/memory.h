// Global memory: the buffers that cudaMalloc gave out, and which of their bytes something wrote.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace simt {

struct Buffer {
    std::uintptr_t begin, end;
    std::unique_ptr<unsigned char[]> written;  ///< one for each byte: 0 until something wrote it

    bool holds(std::uintptr_t address, std::size_t size) const {
        return address >= begin && address + size <= end;
    }
};

/// All buffers. Changed by the host only, between launches; read by many workers during one.
class Memory {
   public:
    static Memory& device();

    /// Null if there is no room. Buffers lie apart, so that a step beyond the end of one hits none.
    void* allocate(std::size_t bytes);
    /// False if the address is not one that allocate returned.
    bool free(void* address);
    /// The buffer that holds the byte at `address`, or null.
    Buffer* find(std::uintptr_t address);

   private:
    std::map<std::uintptr_t, Buffer> buffers_;  // by end
};

}  // namespace simt
