// When a warp may issue its next instruction, and what it waits for until then.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "simt/clock/control.h"
#include "simt/clock/stalls.h"
#include "simt/run/warp.h"

namespace sass::clock {

using Cycle = std::uint64_t;
constexpr Cycle NEVER = ~Cycle(0);

/// The first whole cycle that is not before.
inline Cycle whole(double at) { return Cycle(std::ceil(at)); }

/// The results, or reads of operands, that a warp may wait for under one number.
class Scoreboard {
   public:
    bool is_long = false;  ///< the last one was for global or local memory

    void set(double until, bool of_global, Cycle now) {
        std::size_t kept = 0;
        for (const Cycle each : pending_)
            if (each > now) pending_[kept++] = each;
        pending_.resize(kept);
        pending_.push_back(whole(until));
        is_long = of_global;
    }
    /// When so many are left, at most.
    Cycle until(std::size_t left = 0) {
        if (pending_.size() <= left) return 0;
        if (left == 0) return *std::max_element(pending_.begin(), pending_.end());
        std::sort(pending_.begin(), pending_.end(), std::greater<Cycle>());
        return pending_[left];
    }

   private:
    std::vector<Cycle> pending_;
};

/// Of a warp, what its scheduler looks at in every cycle: kept side by side.
struct Slot {
    Cycle ready;                  ///< may issue then; NEVER: waits for other warps, or has ended
    Cycle issued = NEVER;         ///< when it did last
    Cycle since = 0;              ///< of what has not been accounted for: it is blocked, or could issue,
    std::uint32_t pc = 0;         ///< its next instruction
    std::uint32_t place = 0;      ///< the instruction that `since` is accounted to
    Stall why = Stall::selected;  ///< and the reason
    std::int32_t traced = -1;     ///< the warp's number, if its block is traced
};

struct WarpClock {
    Warp* warp;
    std::size_t slot = 0;     ///< its place among the scheduler's warps
    bool is_blocked = false;  ///< for other warps
    Scoreboard scoreboards[SCOREBOARDS];
    double stored = 0, copied = 0;  ///< when its stores, its asynchronous copies are done
    std::uint32_t lost = 0;         ///< lanes whose last compare-and-swap found another value
    std::uint32_t lost_at = 0;      ///< its pc,
    std::uint64_t found[32] = {};   ///< and that value
};

}  // namespace sass::clock
