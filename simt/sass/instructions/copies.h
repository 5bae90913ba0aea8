// Asynchronous copies and mbarriers of a block.
//
// A copy takes effect when it is issued: one of the orders that the memory model allows. An mbarrier counts
// arrivals and the bytes that copies deliver; a phase is complete when all that were expected have come.
#pragma once
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simt/order/order.h"

namespace sass {

class Copies {
   public:
    struct Barrier {
        std::uint32_t expected = 0, missing = 0;  ///< arrivals
        std::int64_t bytes = 0;                   ///< announced and not yet delivered
        std::uint32_t phase = 0;                  ///< completed ones
        std::uint32_t index = 0;
        Knowledge arriving, completed;  ///< of the threads and copies that arrive; if there are checks
    };
    void init(std::uint32_t address, std::uint32_t arrivals) {
        const auto [at, is_new] = barriers_.try_emplace(address);
        const std::uint32_t index = is_new ? std::uint32_t(barriers_.size()) - 1 : at->second.index;
        at->second = {arrivals, arrivals, 0, 0, index, {}, {}};
    }
    void invalidate(std::uint32_t address) { barriers_.erase(address); }
    Barrier* at(std::uint32_t address) {
        const auto found = barriers_.find(address);
        return found == barriers_.end() ? nullptr : &found->second;
    }
    static void settle(Barrier& barrier) {
        if (barrier.missing > 0 || barrier.bytes != 0) return;
        barrier.missing = barrier.expected;
        barrier.completed = std::exchange(barrier.arriving, {});
        ++barrier.phase;
    }
    void clear() {
        barriers_.clear();
        groups_.clear();
    }

    /// A thread's groups of asynchronous copies, if there are checks: by when their agents have done them.
    struct Groups {
        std::vector<std::uint32_t> done;  ///< by group that is closed; 0: it is empty
        std::uint32_t open = 0;           ///< of the one that is not
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

   private:
    std::map<std::uint32_t, Barrier> barriers_;
    std::unordered_map<std::uint32_t, Groups> groups_;
};

}  // namespace sass
