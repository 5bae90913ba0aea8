// Shared memory of other blocks of the cluster. Generic loads, stores and atomics reach it, never those of shared
// memory itself, whose addresses are of the block's own.
#pragma once
#include "simt/instructions/words.h"
#include "simt/order/vector_clock.h"
#include "simt/run/cluster.h"

namespace sass {

/// Addresses of 32 bits as offsets in the memory of the block itself: another one's become larger than any memory.
inline U own_offset(const Warp& w, U address) { return address - w.block->window; }

/// Calls access(block, offsets, lanes) for each block that the lanes' addresses of shared memory name.
template <class Access>
void by_block(const Warp& w, const U* addresses, U lanes, Access access) {
    while (lanes != 0) {
        const int first = __builtin_ctz(lanes);
        Block& block = block_at(w, addresses[first], first);
        const U there = lanes & where([&](int l) { return (addresses[l] ^ addresses[first]) >> RANK_SHIFT == 0; });
        U offsets[LANES];
        for (int l = 0; l < LANES; ++l) offsets[l] = addresses[l] & OFFSET_BITS;
        access(block, offsets, there);
        lanes &= ~there;
    }
}

/// What an access to another block's memory means for the one that waits there, and for the checks.
/// agent: not 0, that which does it.
void reach(Warp& w, Block& block, U lanes, bool writes, Unit agent = 0);

void load_far(Warp& w, const Instruction& i, Block& block, const U* offsets, U lanes);
void store_far(Warp& w, const Instruction& i, Block& block, const U* offsets, U lanes);

}  // namespace sass
