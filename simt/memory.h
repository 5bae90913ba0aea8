// The memory that kernels may access: the buffers that cudaMalloc and cudaMallocHost returned, and which of
// their bytes are initialised.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "simt/shadow.h"

namespace simt {

struct Release {
    void operator()(void* memory) const { std::free(memory); }
};

struct Buffer {
    std::uintptr_t begin, end;
    std::unique_ptr<unsigned char[], Release> written;  ///< by byte: 1 if it was written, else 0
    bool on_host;                                       ///< pinned; the host may write it at any time
    std::unique_ptr<Shadow> shadow;

    bool holds(std::uintptr_t address, std::size_t size) const {
        return address >= begin && address + size <= end;
    }
};

/// All buffers. The host modifies the set between launches; workers read it concurrently during a launch.
class Memory {
   public:
    static Memory& device();

    /// Returns null if memory is exhausted. Gaps separate the buffers, so that an access just beyond the end
    /// of one does not hit another.
    void* allocate(std::size_t bytes, bool on_host = false);
    /// Returns false if allocate did not return this address.
    bool free(void* address);
    /// The buffer that contains the byte at `address`, or null.
    Buffer* find(std::uintptr_t address);
    /// Where the address lies from the nearest buffer, for a message; "" if there is none.
    std::string nearest(std::uintptr_t address) const;

   private:
    std::map<std::uintptr_t, Buffer> buffers_;  // by end
};

}  // namespace simt
