// A multiprocessor: four schedulers with their units, and the pipe to memory that they share.
//
//     scheduler 0     1     2     3      one instruction a cycle, of the oldest block that can
//     units     |     |     |     |
//     queue     |     |     |     |      of the pipe to memory, in the order of issue
//               +-----+-----+-----+--->  pipe: passes over shared memory, lines of global memory, shuffles
//                                          |-- L1 -- port -- L2
//
// An instruction is executed when it issues: what it reads is what memory holds in that cycle.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "simt/clock/memory.h"
#include "simt/clock/traits.h"
#include "simt/clock/warp.h"

namespace sass::clock {

/// What the multiprocessors of a launch share.
struct Gpu {
    Prices prices;
    std::vector<Traits> traits;  ///< by instruction
    Memory memory;
    std::vector<Stalls> stalls;   ///< by instruction
    std::vector<Interval> trace;  ///< of the traced block
    Request request;              ///< of the instruction that is executed
    const Warp* at_work = nullptr;
    struct Event {
        const Block* block;
        std::function<void()> happen;
    };
    std::multimap<Cycle, Event> events;  ///< what memory and copies have still to do
    std::vector<std::pair<std::shared_ptr<Cluster>, Cycle>> arrived;  ///< a warp at its barrier, when
    std::uint64_t compared = 0, again = 0;  ///< lanes of compare-and-swaps in global memory; that try again
    std::set<unsigned> contenders;          ///< multiprocessors that have some of these
};

class Multiprocessor {
   public:
    Multiprocessor(Gpu& gpu, unsigned number, double l1_bytes);
    /// The block's warps may issue from this cycle on.
    void begin(Block& block, Cycle first);
    /// The next cycle in which anything may issue.
    Cycle next() const;
    /// Lets every scheduler issue that can in this cycle. Calls ended(block) for blocks that end.
    void step(Cycle now, const std::function<void(Block&)>& ended);
    /// Warps of the block that waited for others and need not any more go on.
    void release(const Block& block, Cycle now);
    /// Accounts for what warps wait for until now.
    void account(Cycle now);
    double stored() const { return stored_; }  ///< when all that was stored is
    double pipe_busy() const { return pipe_.busy(); }
    /// Cycles of each unit of all schedulers; of Unit::none those in which one issued.
    const std::array<double, UNITS>& units_busy() const { return units_busy_; }
    static constexpr int SCHEDULERS = 4;

   private:
    /// Counts the compare-and-swap that the warp has executed, and those lanes that try it again with the
    /// value that they have found. Who waits for a lock expects the same value each time.
    void compare(WarpClock& w, std::uint32_t pc);
    struct Scheduler {
        std::vector<std::unique_ptr<WarpClock>> warps;  ///< the oldest first
        std::vector<Slot> slots;                        ///< of each
        Cycle next = NEVER;
        std::array<double, UNITS> free = {};  ///< when a unit is
        double other_floats = 0;              ///< the second unit for floats
        double passes = 0;                    ///< when the last of its own is over
        Queue barriers;                       ///< for the unit for barriers
        Queue queues[2];                      ///< for the pipe to memory; the second of global memory
    };

    bool goes_first(const Scheduler& scheduler, std::size_t one, std::size_t other, Cycle now) const;
    void issue(Scheduler& scheduler, Cycle now);
    double free_at(const Scheduler& scheduler, const Traits& i) const;
    Stall throttle_of(const Traits& i) const;
    void execute(Scheduler& scheduler, WarpClock& w, Cycle now);
    double result_of(Scheduler& scheduler, const Traits& i, WarpClock& w, double passes, Cycle now,
                     double& read);
    Cycle fixed_of(const WarpClock& w, const Traits& i, Cycle now, double read, bool is_taken, bool parts,
                   Stall& why);
    void set_scoreboards(WarpClock& w, const Traits& i, Cycle now, double read, double done);
    double pass(Scheduler& scheduler, bool is_global, double cycles, double now, double& read);
    double access(const Traits& i, WarpClock& w, double at);
    void go_on(Scheduler& scheduler, WarpClock& w, Cycle now, Cycle fixed, Stall why);
    void pend(const Block& block, double at);
    void charge(const Slot& slot, std::uint32_t place, Stall why, Cycle from, Cycle until);
    void note(Slot& slot, Cycle now);
    void start_waiting(Slot& slot, Cycle now, Stall why, std::uint32_t place);
    Cycle drained(const Block& block) const;
    void drop(const Block& block);

    Gpu& gpu_;
    const unsigned number_;
    std::array<Scheduler, SCHEDULERS> schedulers_;
    std::array<double, UNITS> units_busy_ = {};
    Server senders_, pipe_, barriers_, far_, stores_;
    Calendar port_{512};
    Queue waiting_[2];  ///< for the pipe
    double held_ = 0;   ///< global memory takes no request before
    Cache l1_;
    double stored_ = 0;
    std::size_t first_ = 0;  ///< the scheduler of the next block's first warp
    Block* ended_ = nullptr;
    std::vector<std::pair<Cycle, Block*>> draining_;  ///< blocks whose warps have ended, until when
};

}  // namespace sass::clock
