// Happens-before clocks. A clock is a set of past accesses: for each unit of a block, those before a time.
//
//     block    unit             time        all accesses of ..
//     3        ALL              17          block 3, every unit, before its time 17
//     3        warp 0           21          the lanes of its warp 0 before time 21
//     3        lane 5           23          its thread 5 before time 23
//     3        COPIES + 2       19          its third asynchronous copy agent before time 19
//
// A copy runs on by itself, so no entry but its agent's own contains it.
//
// Each block has a time of its own, which every synchronising operation of one of its lanes advances. An
// access is stamped with its block's time. Clocks never change, so lanes share them: the lanes of a warp hold
// one clock until a partial synchronisation parts them. FastTrack (Flanagan and Freund, PLDI 2009) has the
// epochs; the hierarchy of units is CUDA's.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace simt {

/// What accesses memory: a lane, or an agent of asynchronous copies. A clock has entries for whole warps and
/// blocks, too. Ascending, so that in a sorted clock a block's entry precedes those of its warps and lanes.
using Unit = std::uint16_t;
inline constexpr Unit ALL = 0, WARPS = 1, LANES = 64, COPIES = LANES + 1024;
inline Unit warp_unit(unsigned warp) { return Unit(WARPS + warp); }
inline Unit lane_unit(unsigned thread) { return Unit(LANES + thread); }

/// The accesses of `unit` of a block before `time`. `block` is unique over all launches.
struct ClockEntry {
    std::uint32_t block;
    Unit unit;
    std::uint32_t time;
};

/// Sorted by block, then unit; at most one entry for each.
struct Clock {
    std::vector<ClockEntry> entries;

    /// Does the clock contain an access of this unit at this time?
    bool contains(std::uint32_t block, Unit unit, std::uint32_t time) const;
};

/// A clock that is shared; null contains nothing.
using SharedClock = std::shared_ptr<const Clock>;

/// The union of two clocks.
SharedClock merge(const SharedClock& a, const SharedClock& b);

}  // namespace simt
