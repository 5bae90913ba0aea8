// Distributes the blocks of one launch to the workers.
//
// The forward-progress guarantee is that of a GPU: a resident block runs to its end. A block that has not
// started may have to wait until others have ended, because the number of resident blocks is limited.
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
    /// At most `max_resident` resident blocks, executed by `workers` CPU threads.
    Job(const Grid& grid, unsigned max_resident, unsigned workers);

    const Grid& grid() const { return grid_; }
    unsigned blocks() const { return unsigned(order_.size()); }
    unsigned block(unsigned position) const { return order_[position]; }

    /// Take the next block; `position` is its index in the schedule. False if as many blocks as allowed are
    /// resident, or if none is left. After a fault no later block starts, and the resident ones run on unless
    /// they yield, so the reported fault is the first in the schedule for any number of cores.
    bool begin(unsigned& position);
    bool blocks_remain() const;

    /// The block at `position` has ended, with a fault or with "".
    void end(unsigned position, const std::string& fault, Hazard hazard);
    bool failed() const { return first_fault_.load() != ~0u; }

    /// Number of events by which a block can make progress: blocks started, ended, or changing global memory.
    /// While it is constant, failed polls keep failing.
    std::uint64_t progress() const { return progress_.load(); }
    void advance() { ++progress_; }

    /// A worker has run all its blocks for many rounds while progress() was `seen`. Once all workers report
    /// this, the job is deadlocked. To be called once per worker and value of `seen`.
    void report_no_progress(std::uint64_t seen);
    bool deadlocked() const { return deadlocked_.load(); }

    /// A worker is done; `tally` sums the counts of its blocks.
    void retire_worker(const Tally& tally);

    const std::string& fault() const { return fault_; }
    Hazard hazard() const { return hazard_; }
    Tally& result() { return result_; }

   private:
    const Grid& grid_;
    const unsigned max_resident_;
    std::vector<unsigned> order_;
    std::atomic<unsigned> next_{0}, resident_count_{0}, first_fault_{~0u};
    std::atomic<std::uint64_t> progress_{0};
    std::atomic<bool> deadlocked_{false};

    std::mutex mutex_;  // protects the members below
    unsigned workers_, stalled_workers_ = 0;
    std::uint64_t stalled_at_ = 0;
    std::string fault_;
    Hazard hazard_ = Hazard::race;
    Tally result_;
};

}  // namespace simt
