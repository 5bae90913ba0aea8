// What the instructions on mbarriers and those of asynchronous copies, which arrive at them, have in common.
#pragma once
#include <cstring>
#include <string>

#include "simt/clock/request.h"
#include "simt/instructions/memory/copies.h"
#include "simt/instructions/memory/distributed.h"

namespace sass {

constexpr int MISUSE = 719;

inline unsigned thread_of(const Warp& w, int lane) { return unsigned(w.number * LANES + lane); }

inline bool is_late(const Warp& w) { return w.block->kernel->options.is_late; }
/// Somebody asks for groups of copies.
inline bool has_groups(const Warp& w) { return w.block->checks != nullptr || is_late(w); }

inline U shared_address(const Warp& w, const Instruction& i, int l) {
    return w.source(i.a)[l] * i.scale + w.source(i.b)[l] + U(i.offset);
}

/// mbarrier.init writes a word whose lower half is (0x100000 - arrivals) << 1.
inline U arrivals_of(U lower_half) {
    const U arrivals = 0x100000 - (lower_half >> 1 & 0xfffff);
    return arrivals == 0 ? 0x100000 : arrivals;
}
/// Of a word as mbarrier.init writes it: its upper half is (0x100000 - arrivals) << 11. Null if it is none.
inline Copies::Barrier* stored_barrier(Block& block, U address) {
    U half[2];
    if (U64(address) + sizeof half > block.shared.size()) return nullptr;
    std::memcpy(half, &block.shared[address], sizeof half);
    if (half[0] % 2 != 0 || half[0] >> 21 != 0 || half[1] != half[0] << 10) return nullptr;
    return block.copies->init_by_store(address, arrivals_of(half[0]));
}

/// To sm_90 mbarrier.init is an instruction of its own; from sm_100 on a store, which is found out at the
/// first use.
inline Copies::Barrier& barrier_in(Block& block, U address, int lane) {
    Copies::Barrier* barrier = block.copies->at(address);
    if (barrier == nullptr && architecture().number >= 100) barrier = stored_barrier(block, address);
    if (barrier == nullptr)
        throw Fault{MISUSE,
                    "byte " + std::to_string(std::int64_t(address) - system_shared_bytes()) +
                        " of shared memory holds no mbarrier that was initialised",
                    lane};
    return *barrier;
}
/// Of the block's own.
inline Copies::Barrier& barrier_at(Warp& w, U address, int lane) {
    return barrier_in(*w.block, own_offset(w, address), lane);
}
/// Of any block of the cluster.
inline Copies::Barrier& barrier_of_cluster(Warp& w, U address, int lane) {
    Block& block = block_at(w, address, lane);
    if (&block != w.block) reach(w, block, 1u << lane, true);
    return barrier_in(block, address & OFFSET_BITS, lane);
}

/// Now, or as late as the barrier's phase allows.
template <class Arrive>
void arrive_at(Copies::Barrier& barrier, const Warp& w, const Arrive& arrive) {
    if (is_late(w))
        barrier.late.emplace_back(arrive);
    else if (w.block->request)
        w.block->request->at_end.emplace_back(arrive);
    else
        arrive();
}

}  // namespace sass
