// Happens-before clocks. A clock is a set of past accesses: for each unit of a block, those before a time.
//
//     block    unit             time        all accesses of ..
//     3        EVERY            17          block 3, every thread, before its time 17
//     3        warp 0           21          the threads of its warp 0 before time 21
//     3        thread 5         23          its thread 5 before time 23
//     3        AGENTS + 2       19          its third agent of asynchronous copies before time 19
//
// A copy runs on by itself, so no entry but its agent's own contains it.
//
// Each block has a time of its own, which every synchronising operation of one of its threads advances; an
// access is stamped with it. A clock is a list of parts, one a block. Neither ever changes, so threads share
// them: to merge two clocks costs what differs between them. The epochs are FastTrack's (Flanagan and Freund,
// PLDI 2009); the hierarchy of units is CUDA's.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace sass {

/// What accesses memory: a thread, or an agent of asynchronous copies. A clock also has entries for whole
/// warps and blocks. Ascending: the entries of a warp or a block precede those of its threads.
///
/// Agents: of bulk loads, one for each mbarrier; of each thread's bulk stores one that reads the sources and
/// one that writes the targets; of each thread's cp.async, which is not of the async proxy, one.
using Unit = std::uint16_t;
constexpr Unit EVERY = 0, WARPS = 1, THREADS = 64, AGENTS = THREADS + 1024, BULK_READS = AGENTS + 1024,
               BULK_WRITES = BULK_READS + 1024, COPIES = BULK_WRITES + 1024;
constexpr Unit unit_of_warp(unsigned warp) { return Unit(WARPS + warp); }
constexpr Unit unit_of_thread(unsigned thread) { return Unit(THREADS + thread); }

/// Of one block: what is known of it.
struct Part {
    struct Entry {
        Unit unit;
        std::uint32_t time;  ///< accesses before it
    };
    std::uint32_t block;         ///< unique over all launches
    std::vector<Entry> entries;  ///< ascending by unit

    bool contains(Unit unit, std::uint32_t time) const;
};
using SharedPart = std::shared_ptr<const Part>;

struct Clock {
    std::vector<SharedPart> parts;  ///< ascending by block

    /// Does the clock contain an access of this unit at this time?
    bool contains(std::uint32_t block, Unit unit, std::uint32_t time) const;
};

/// Null contains nothing.
using SharedClock = std::shared_ptr<const Clock>;

/// The union; one of the two itself, if it contains the other.
SharedClock merge(const SharedClock& a, const SharedClock& b);
/// A clock of this part alone.
SharedClock clock_of(Part part);

/// The place of a launch or a copy among the work of the host and of all streams. Of such clocks a stream is
/// the block, and how much was submitted to it the time.
struct Submitted {
    SharedClock before;  ///< what happens before it
    std::uint32_t stream = 0, number = 0;
    bool follows(const Submitted& other) const {
        return before != nullptr && before->contains(other.stream, EVERY, other.number);
    }
    /// What follows it knows.
    SharedClock with_itself() const { return merge(before, clock_of({stream, {{EVERY, number + 1}}})); }
};

}  // namespace sass
