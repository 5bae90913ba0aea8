// The common case of a memory access, inlined into the hooks: plain, of whole words, in the array or buffers
// that the block accessed last, of words that were written, and after all that is remembered of these words.
// Everything else takes the way of simt/accesses.cpp, with the same result.
#pragma once
#include <cstring>

#include "simt/block.h"

namespace simt {

/// Is the instruction that called the hook the kernel's own, rather than of a function that it calls?
inline bool Block::in_kernel() const {
    const auto* const caller = static_cast<const Frame*>(lane_->frame)->caller;
    return reinterpret_cast<std::uintptr_t>(caller) - lane_->stack_begin < STACK_BYTES &&
           caller->caller == lane_->kernel_caller;
}

/// Returns false if it is not that case; then access() must follow, which repeats what was done so far.
template <AccessType type, unsigned size>
__attribute__((always_inline)) inline bool Block::access_quickly(std::uintptr_t address, const void* site) {
    static_assert((type == AccessType::read || type == AccessType::write) && size % 4 == 0);
    constexpr bool reads = type == AccessType::read;
    if (address % 4 != 0) return false;
    const unsigned lane = lane_->number;
    Kind kind{};
    if (is_shared(address)) {
        const std::uintptr_t offset = address - shared_base_;
        if (offset < array_begin_ || offset + size > array_end_) return false;
        std::uint64_t* const written = &written_[offset / 4];
        const std::uint64_t all = block_serial_ << 4 | 15;
        for (unsigned word = 0; reads && word < size / 4; ++word)
            if (written[word] != all) return false;
        if (!shared_shadow_.access_quickly(address, size, past(type, size, site), order_, lane, false))
            return false;
        for (unsigned word = 0; !reads && word < size / 4; ++word) written[word] = all;
        kind = reads ? Kind::shared_load : Kind::shared_store;
    } else {
        if (recent_[0] == nullptr || !recent_[0]->holds(address, size)) {
            if (recent_[1] == nullptr || !recent_[1]->holds(address, size)) return false;
            std::swap(recent_[0], recent_[1]);
        }
        static constexpr unsigned char WRITTEN[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        unsigned char* const written = &recent_[0]->written[address - recent_[0]->begin];
        if (reads && std::memcmp(written, WRITTEN, size) != 0) return false;
        Shadow& shadow = *recent_[0]->shadow;
        if (!shadow.access_quickly(address, size, past(type, size, site), order_, lane, grid_->parallel))
            return false;
        if (!reads) std::memcpy(written, WRITTEN, size);
        if (!reads) changed_memory_ = true;
        kind = reads ? Kind::global_load : Kind::global_store;
    }
    warps_[lane / 32].log.add(lane % 32, in_kernel() ? site : identity(site), kind, size, address);
    return true;
}

}  // namespace simt
