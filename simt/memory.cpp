#include "simt/memory.h"

#include <cstring>

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
    std::unique_ptr<unsigned char[], Release> written(static_cast<unsigned char*>(std::calloc(bytes, 1)));
    if (block == nullptr || written == nullptr) {
        std::free(block);
        return nullptr;
    }
    if (on_host) std::memset(written.get(), 1, bytes);
    const auto begin = reinterpret_cast<std::uintptr_t>(block);
    // The gap after each buffer makes the ends distinct, so free() finds zero-byte buffers too.
    buffers_.emplace(begin + bytes, Buffer{begin, begin + bytes, std::move(written), on_host,
                                           std::make_unique<Shadow>(begin, bytes, false)});
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

std::string Memory::nearest(std::uintptr_t address) const {
    const auto text = [](std::uintptr_t away, const char* where, const Buffer& buffer) {
        return "; " + std::to_string(away) + where + "a buffer of " +
               std::to_string(buffer.end - buffer.begin) + " bytes";
    };
    const auto after = buffers_.upper_bound(address);
    const Buffer* const next = after == buffers_.end() ? nullptr : &after->second;
    const Buffer* const previous = after == buffers_.begin() ? nullptr : &std::prev(after)->second;
    if (next != nullptr && next->begin <= address)
        return text(address - next->begin, " bytes into, and across the end of, ", *next);
    if (previous != nullptr && (next == nullptr || address - previous->end <= next->begin - address))
        return text(address - previous->end, " bytes past the end of ", *previous);
    return next == nullptr ? "" : text(next->begin - address, " bytes before ", *next);
}

}  // namespace simt
