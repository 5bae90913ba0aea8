// Asynchronous copies and mbarriers of a block.
//
// A copy takes effect when it is issued, or with Options::is_late when it must have done so: when its thread
// waits for it, when someone asks the mbarrier that it arrives at, when the block cannot go on otherwise.
// The memory model allows both. An mbarrier counts arrivals and the bytes that copies deliver; a phase is
// complete when all that were expected have come.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simt/order/order.h"

namespace sass {

/// To sm_80 to 89 an mbarrier is a word of memory. Its lower half is 0x40000000 less the arrivals that a
/// phase expects, its upper one 0x80000000 less those that are missing; bit 31 of that is the phase's parity.
/// Returns what it becomes by an arrival (ATOMS.ARRIVE), as what mbarrier.init stores says.
inline std::uint64_t arrived(std::uint64_t mbarrier) {
    constexpr std::uint64_t PARITY = 1ull << 63;
    const std::uint64_t next = mbarrier + (1ull << 32), expected = mbarrier & 0x3fffffff;
    if (((next ^ mbarrier) & PARITY) == 0) return next;
    return (next & PARITY) | (0x40000000 | expected) << 32 | (mbarrier & 0xffffffff);
}

class Copies {
   public:
    struct Barrier {
        std::uint32_t expected = 0, missing = 0;  ///< arrivals
        std::int64_t bytes = 0;                   ///< announced and not yet delivered
        std::uint32_t phase = 0;                  ///< completed ones
        std::uint32_t index = 0;
        Knowledge arriving, completed;  ///< of the threads and copies that arrive; if there are checks
        std::vector<std::function<void()>> late = {};  ///< what is still to come
        /// Lets it come. Returns whether there was anything.
        bool catch_up() {
            const auto all = std::exchange(late, {});
            for (const auto& arrive : all) arrive();
            return !all.empty();
        }
    };
    void init(std::uint32_t address, std::uint32_t arrivals) {
        const auto [at, is_new] = barriers_.try_emplace(address);
        const std::uint32_t index = is_new ? std::uint32_t(barriers_.size()) - 1 : at->second.index;
        at->second = {arrivals, arrivals, 0, 0, index, {}, {}};
    }
    /// One that a store has made: another store there ends it.
    Barrier* init_by_store(std::uint32_t address, std::uint32_t arrivals) {
        init(address, arrivals);
        has_stored_ = true;
        return at(address);
    }
    void overwrite(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes) {
        if (!has_stored_) return;
        for (; lanes != 0; lanes &= lanes - 1)
            for (unsigned at = 0; at < bytes; at += 8) invalidate(addresses[__builtin_ctz(lanes)] + at);
    }
    void invalidate(std::uint32_t address) { barriers_.erase(address); }
    Barrier* at(std::uint32_t address) {
        const auto barrier = barriers_.find(address);
        return barrier == barriers_.end() ? nullptr : &barrier->second;
    }
    static void settle(Barrier& barrier) {
        if (barrier.missing > 0 || barrier.bytes != 0) return;
        barrier.missing = barrier.expected;
        barrier.completed = std::exchange(barrier.arriving, {});
        ++barrier.phase;
    }
    void clear() {
        barriers_.clear();
        has_stored_ = false;
        groups_.clear();
    }

    /// A thread's groups of asynchronous copies, if there are checks or copies are late.
    struct Groups {
        struct Late {
            std::size_t group;
            std::function<void()> read, write;  ///< of the source; null once done, or if write does both
        };
        std::vector<std::uint32_t> done;  ///< by group that is closed, when its agents have done it; 0: empty
        std::uint32_t open = 0;           ///< of the one that is not
        std::deque<Late> late;            ///< what is still to be done
        void add(std::function<void()> read, std::function<void()> write) {
            late.push_back({done.size(), std::move(read), std::move(write)});
        }
        /// Does what is late in all groups before this one. Returns whether there was anything.
        bool catch_up(std::size_t group, bool reads_only = false) {
            bool any = false;
            for (Late& each : late) {
                if (each.group >= group) break;
                if (each.read) std::exchange(each.read, nullptr)(), any = true;
            }
            for (; !reads_only && !late.empty() && late.front().group < group; late.pop_front())
                late.front().write(), any = true;
            return any;
        }
        void close() { done.push_back(std::exchange(open, 0)); }
        /// Of all but the latest ones; 0: of none.
        std::uint32_t all_but(std::size_t latest) const {
            for (std::size_t k = done.size(); k-- > 0;)
                if (k + latest < done.size() && done[k] != 0) return done[k];
            return 0;
        }
    };
    Groups& bulk_groups(unsigned thread) { return groups_[thread]; }
    Groups& copy_groups(unsigned thread) { return groups_[thread | 1u << 31]; }
    /// Does all that is late. Returns whether there was anything.
    bool catch_up() {
        bool any = false;
        for (auto& [thread, groups] : groups_) any |= groups.catch_up(~std::size_t(0));
        for (auto& [address, barrier] : barriers_) any |= barrier.catch_up();
        return any;
    }

   private:
    std::map<std::uint32_t, Barrier> barriers_;
    bool has_stored_ = false;  ///< some of them were made by stores
    std::unordered_map<std::uint32_t, Groups> groups_;
};

}  // namespace sass
