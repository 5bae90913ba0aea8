// The asynchronous copies of a block, and the mbarriers by which lanes learn of them.
//
//     bulk load     overwrites its target with garbage at once; its bytes arrive at some later time
//     bulk store    reads its source at some later time, writes its target at some time after that
//
// Copies take effect in any order, from the seed of the schedule; seed 0 keeps their order. Each mbarrier is
// an agent that loads the bytes which it counts; each lane has an agent that reads the sources of its bulk
// stores, and one that writes their targets. What an agent does happens after the lane issued it, and before
// what follows a wait: on the mbarrier, or for the lane's bulk groups.
//
// Source: NVIDIA, PTX ISA, "cp.async.bulk", "mbarrier" and "Async proxy".
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "simt/order.h"

namespace simt {

class Copies {
   public:
    /// A block of `lanes` lanes starts.
    void begin(unsigned lanes);

    // Mbarriers. They return a rule that the call breaks, or "".
    std::string init(std::uintptr_t barrier, unsigned arrivals, unsigned lane);
    std::string arrive(std::uintptr_t barrier, unsigned bytes, BlockOrder& order, unsigned lane);
    /// The number of completed phases; null if the barrier has not been initialised.
    const std::uint32_t* phase(std::uintptr_t barrier) const;
    /// What a lane learns once it has seen that the latest phase completed.
    const Knowledge& completed(std::uintptr_t barrier) const {
        return barriers_[index_.at(barrier)].completed;
    }
    /// A lane makes the barriers that it initialised visible to copies.
    void fence_mbarrier_init(unsigned lane);

    // Copies. The memory that they access has been checked. Returned: the agent, for the memory's shadow.
    std::string load(std::uintptr_t barrier, char* to, const char* from, unsigned bytes, std::uint32_t time,
                     Unit& agent);
    void store(unsigned lane, char* to, const char* from, unsigned bytes, std::uint32_t time, Unit& reader,
               Unit& writer);
    /// Close the lane's group of stores since its last group.
    void commit_group(unsigned lane);
    /// Have the sources of all of the lane's groups but the latest `groups` been read?
    bool are_read(unsigned lane, unsigned groups) const;
    /// A counter that changes whenever a source of the lane has been read.
    const std::uint32_t* reads(unsigned lane) const { return &stores_[lane].reads; }
    /// What the lane knows then.
    Knowledge read_groups(unsigned lane, unsigned groups, const BlockOrder& order) const;

    /// Take some steps, or none. Returns whether any was taken. With seed 0 all are taken, in order.
    bool work(std::mt19937_64& random, bool in_order, std::uint32_t block);
    /// A copy that must have taken effect before the block's lanes end, or "".
    std::string left_undone() const;
    void finish(std::uint32_t block);

   private:
    struct Barrier {
        unsigned arrivals = 0, missing = 0;
        std::int64_t bytes = 0;  ///< announced minus arrived; negative if they arrive before
        std::uint32_t phases = 0;
        Knowledge arriving, completed;
        unsigned initialised_by = 0;
        bool shown = false;
    };
    struct Stores {
        std::uint32_t reads = 0;
        unsigned groups = 0;  ///< committed
        std::deque<std::uint32_t>
            time_of_group;            ///< of the latest store in each group so far; 0 if it is empty
        std::uint32_t open_time = 0;  ///< of the latest store since
    };
    struct Job {
        bool is_load;
        unsigned lane_or_barrier;
        char* to;
        const char* from;
        unsigned bytes, group;
        std::uint32_t time;
        bool was_read;
        std::vector<char> read;
    };

    void settle(Barrier& barrier);
    void step(std::size_t job, std::uint32_t block);

    std::unordered_map<std::uintptr_t, unsigned> index_;
    std::deque<Barrier> barriers_;
    std::vector<Stores> stores_;
    std::vector<Job> jobs_;
    unsigned lanes_ = 0;
    unsigned pause_ = 0;  // calls of work() that do nothing
};

}  // namespace simt
