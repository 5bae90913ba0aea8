// Shared memory of other blocks of the cluster. Generic loads, stores and atomics reach it, never those of
// shared memory itself, whose addresses are of the block's own. An H200 counts no request, no wavefront and
// no sector of them.
#pragma once
#include "simt/instructions/words.h"
#include "simt/order/vector_clock.h"
#include "simt/run/cluster.h"

namespace sass {

/// Addresses of 32 bits as offsets in the memory of the block itself: another one's become larger than any
/// memory.
inline U own_offset(const Warp& w, U address) { return address - w.block->window; }

/// Calls access(block, offsets, lanes) for each block that the lanes' addresses of shared memory name.
template <class Access>
void by_block(const Warp& w, const U* addresses, U lanes, Access access) {
    while (lanes != 0) {
        const int first = __builtin_ctz(lanes);
        Block& block = block_at(w, addresses[first], first);
        const U there =
            lanes & where([&](int l) { return (addresses[l] ^ addresses[first]) >> RANK_SHIFT == 0; });
        U offsets[LANES];
        for (int l = 0; l < LANES; ++l) offsets[l] = addresses[l] & OFFSET_BITS;
        access(block, offsets, there);
        lanes &= ~there;
    }
}

/// Before an access to another block's memory: it is still there. agent: not 0, that which does it. For the
/// checks, and so that the one who polls there looks again.
void reach(Warp& w, Block& block, U lanes, bool writes, Unit agent = 0);
/// Throws Fault, with the errors that an H200 gives.
void check_far(const Block& block, const U* offsets, U lanes, unsigned bytes);

/// A bulk copy from global memory, issued by the lane. Each block of the mask gets the bytes where the
/// address has them in its own shared memory, and there they arrive at the mbarrier.
void load_bulk(Warp& w, int lane, U to, U mbarrier, U64 from, U bytes, U blocks);

void load_far(Warp& w, const Instruction& i, Block& block, const U* offsets, U lanes);
void store_far(Warp& w, const Instruction& i, Block& block, const U* offsets, U lanes);

}  // namespace sass
