#include "simt/memory.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace simt {

namespace {
constexpr std::size_t GAP = 512;  // bytes between buffers; also their alignment
}

Memory& Memory::device() {
    static Memory memory;
    return memory;
}

void* Memory::allocate(std::size_t bytes, bool on_host) {
    const std::size_t room = (bytes / GAP + 2) * GAP;
    void* block = std::aligned_alloc(GAP, room);
    std::unique_ptr<unsigned char[]> written(new (std::nothrow) unsigned char[bytes]());
    if (block == nullptr || written == nullptr) {
        std::free(block);
        return nullptr;
    }
    if (on_host) std::memset(written.get(), 1, bytes);
    const auto begin = reinterpret_cast<std::uintptr_t>(block);
    // The gap after each buffer makes the ends distinct, so free() finds zero-byte buffers too.
    buffers_.emplace(begin + bytes, Buffer{begin, begin + bytes, std::move(written), on_host});
    return block;
}

bool Memory::free(void* address) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    const auto found = buffers_.lower_bound(begin);
    if (found == buffers_.end() || found->second.begin != begin) return false;
    std::free(address);
    buffers_.erase(found);
    return true;
}

Buffer* Memory::find(std::uintptr_t address) {
    const auto found = buffers_.upper_bound(address);
    return found != buffers_.end() && found->second.begin <= address ? &found->second : nullptr;
}

}  // namespace simt
