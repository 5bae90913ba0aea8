// Asynchronous copies and mbarriers of a block.
//
// A copy takes effect when it is issued: one of the orders that the memory model allows. An mbarrier counts
// arrivals and the bytes that copies deliver; a phase is complete when all that were expected have come.
#pragma once
#include <cstdint>
#include <map>

namespace sass {

class Copies {
   public:
    struct Barrier {
        std::uint32_t expected = 0, missing = 0;  ///< arrivals
        std::int64_t bytes = 0;                   ///< announced and not yet delivered
        std::uint32_t phase = 0;                  ///< completed ones
    };
    void init(std::uint32_t address, std::uint32_t arrivals) {
        barriers_[address] = {arrivals, arrivals, 0, 0};
    }
    void invalidate(std::uint32_t address) { barriers_.erase(address); }
    Barrier* at(std::uint32_t address) {
        const auto found = barriers_.find(address);
        return found == barriers_.end() ? nullptr : &found->second;
    }
    static void settle(Barrier& barrier) {
        if (barrier.missing > 0 || barrier.bytes != 0) return;
        barrier.missing = barrier.expected;
        ++barrier.phase;
    }
    void clear() { barriers_.clear(); }

   private:
    std::map<std::uint32_t, Barrier> barriers_;
};

}  // namespace sass
