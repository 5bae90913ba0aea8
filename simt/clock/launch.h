// A launch by the clock: blocks start where there is room, multiprocessors step from cycle to cycle.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "simt/clock/multiprocessor.h"
#include "simt/clock/plan.h"
#include "simt/clock/timing.h"

namespace sass::clock {

class Launch {
   public:
    /// begin(number): makes the blocks of a cluster that has just started. end(block): takes one back.
    struct Blocks {
        std::function<std::vector<std::unique_ptr<Block>>(std::uint64_t cluster)> begin;
        std::function<void(std::unique_ptr<Block>)> end;
        std::function<std::uint64_t()> progress;  ///< see Grid::progress
    };
    Launch(const Kernel& kernel, const Prices& prices);
    /// Runs the blocks of the plan. Throws what they throw: Fault, of the warp at_work(). Blocks that wait
    /// for what does not come are left over.
    void run(const Blocks& blocks);
    bool has_begun(std::uint64_t cluster) const { return has_begun_[cluster]; }
    const Warp* at_work() const { return gpu_.at_work; }
    std::vector<std::unique_ptr<Block>> left_over();
    const Timing& timing() const { return timing_; }

   private:
    struct Turn {
        Cycle at;
        std::size_t multiprocessor;
        bool operator<(const Turn& other) const { return at > other.at; }
    };

    struct Resident {
        std::unique_ptr<Block> block;
        std::size_t multiprocessor;
    };

    bool start_next(Cycle now);
    void release(const Cluster& cluster, Cycle at);
    void step(const Turn& turn);
    void end(std::size_t multiprocessor, Block& block, Cycle now);
    void happen(Cycle until);
    bool is_stuck();
    void conclude();
    Busy busy(double cycles) const;

    const Kernel* const kernel_;
    const Plan plan_;
    Gpu gpu_;
    std::deque<Multiprocessor> multiprocessors_;
    std::priority_queue<Turn> turns_;
    const Blocks* blocks_ = nullptr;
    std::vector<Resident> resident_;
    std::vector<bool> has_begun_;
    std::vector<std::size_t> room_;  ///< of each multiprocessor, for so many blocks
    std::size_t all_room_ = 0;
    std::size_t next_ = 0;
    Server starter_;
    Cycle now_ = 0;
    std::vector<Cycle> ends_;
    double stored_ = 0;
    std::uint64_t progress_ = 0;
    Cycle progressed_ = 0;
    bool lacks_prices_ = false;  ///< of what the kernel does
    Timing timing_;
};

}  // namespace sass::clock
