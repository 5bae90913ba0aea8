// The blocks of one launch, as the workers share them.
//
// What a kernel may rely on is what a GPU promises: a block that has begun goes on to its end; one that has
// not begun may have to wait until others have ended, as only so many are in flight at a time.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "simt/block.h"

namespace simt {

class Job {
   public:
    /// At most `resident` blocks in flight, run by `workers` CPU threads.
    Job(const Grid& grid, unsigned resident, unsigned workers);

    const Grid& grid() const { return grid_; }
    unsigned blocks() const { return unsigned(order_.size()); }
    unsigned block(unsigned turn) const { return order_[turn]; }

    /// Take the next block, by its turn in the order. False if there is no place for it now, or none is left.
    /// After a fault no new block begins, and those begun before end unless they wait, so that the fault
    /// reported is the first in the order of blocks whatever the number of cores.
    bool begin(unsigned& turn);
    bool blocks_left() const;

    /// A block of this turn has ended, with a fault or with "".
    void end(unsigned turn, const std::string& fault);
    bool failed() const { return first_fault_.load() != ~0u; }

    /// How often blocks have begun, ended, or changed global memory: where it stands still, those that wait
    /// do so for ever.
    std::uint64_t progress() const { return progress_.load(); }
    void advance() { ++progress_; }

    /// A worker has given all its blocks turn after turn, and progress was `seen` all the while. To be said
    /// once.
    void stands_still(std::uint64_t seen);
    bool deadlocked() const { return deadlocked_.load(); }

    /// A worker leaves, with what its blocks added up to.
    void leave(const Tally& tally);

    const std::string& fault() const { return fault_; }
    Tally& result() { return result_; }

   private:
    const Grid& grid_;
    const unsigned resident_;
    std::vector<unsigned> order_;
    std::atomic<unsigned> next_{0}, in_flight_{0}, first_fault_{~0u};
    std::atomic<std::uint64_t> progress_{0};
    std::atomic<bool> deadlocked_{false};

    std::mutex mutex_;  // for all below
    unsigned workers_, still_ = 0;
    std::uint64_t still_since_ = 0;
    std::string fault_;
    Tally result_;
};

}  // namespace simt
