// A grid: each resident block has its own CPU thread, so its shared arrays are thread_local. Only one of the
// threads runs at a time; it wakes the next.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "tests/emulation/emulator/block.h"
#include "tests/emulation/emulator/emulator.h"
#include "tests/emulation/emulator/lane.h"

namespace emulation {

namespace {

class Grid {
   public:
    Grid(const Extent& extent, const Schedule& schedule, const std::function<void()>& kernel);
    void run();
    void note_progress() { idle_rounds_ = 0; }

   private:
    /// Rounds without progress, over all blocks, that count as a deadlock: far more than the longest freeze
    /// of a warp, or the longest run of warp syncs between two steps that note progress.
    static constexpr unsigned MOST_IDLE_ROUNDS = 50'000;
    static constexpr unsigned NONE_RUNNING = ~0u;

    void live(unsigned slot);
    void run_block(unsigned slot, unsigned index);
    void count_round(const Block& block);
    void await_turn(unsigned slot);
    void hand_on();

    Extent extent_;
    Schedule schedule_;
    const std::function<void()>& kernel_;
    std::mt19937 random_;
    std::vector<unsigned> order_;  ///< in which blocks start
    unsigned begun_ = 0, idle_rounds_ = 0;
    std::string fault_;

    std::mutex mutex_;
    unsigned running_slot_ = NONE_RUNNING;  ///< the slot that may run
    std::vector<unsigned> slots_;           ///< those with blocks left to run
    std::vector<std::condition_variable> changed_;
};

thread_local Grid* grid = nullptr;

Grid::Grid(const Extent& extent, const Schedule& schedule, const std::function<void()>& kernel)
    : extent_(extent),
      schedule_(schedule),
      kernel_(kernel),
      random_(schedule.seed),
      order_(extent.blocks),
      slots_(std::min(schedule.resident, extent.blocks)),
      changed_(slots_.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::shuffle(order_.begin(), order_.end(), random_);
    std::iota(slots_.begin(), slots_.end(), 0u);
}

void Grid::run() {
    std::vector<std::thread> threads;
    for (const unsigned slot : std::vector<unsigned>(slots_)) threads.emplace_back([=] { live(slot); });
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        hand_on();
    }
    for (std::thread& thread : threads) thread.join();
    if (!fault_.empty()) throw Fault(fault_);
}

void Grid::await_turn(unsigned slot) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_[slot].wait(lock, [&] { return running_slot_ == slot; });
}

/// Called with the lock held.
void Grid::hand_on() {
    if (slots_.empty()) return;
    running_slot_ = slots_[random_() % slots_.size()];
    changed_[running_slot_].notify_one();
}

/// Body of a CPU thread: runs one block after another.
void Grid::live(unsigned slot) {
    grid = this;
    await_turn(slot);
    try {
        while (fault_.empty() && begun_ < extent_.blocks) run_block(slot, order_[begun_++]);
    } catch (const Fault& fault) {
        fault_ = fault.what();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    slots_.erase(std::find(slots_.begin(), slots_.end(), slot));
    hand_on();
}

void Grid::run_block(unsigned slot, unsigned index) {
    constexpr unsigned LONGEST_TURN = 32;  // rounds
    Block block(extent_, index, schedule_.seed * 1'000'003 + index, kernel_);
    for (bool over = false; !over;) {
        for (unsigned left = 1 + random_() % LONGEST_TURN; left > 0 && !over; --left) {
            over = block.round();
            count_round(block);
        }
        if (over || slots_.size() == 1) continue;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            hand_on();
        }
        await_turn(slot);
        if (!fault_.empty()) return;
    }
}

void Grid::count_round(const Block& block) {
    if (++idle_rounds_ < MOST_IDLE_ROUNDS) return;
    throw Fault("deadlock: nothing moves for " + std::to_string(idle_rounds_) + " rounds, and " +
                block.who_waits());
}

}  // namespace

void note_progress() { grid->note_progress(); }

void run(const Extent& extent, const Schedule& schedule, const std::function<void()>& kernel) {
    if (extent.blocks == 0 || extent.threads == 0 || extent.threads % 32 != 0)
        throw Fault("a grid has blocks, and these have whole warps");
    if (extent.shared_bytes > SHARED_BYTES)
        throw Fault("a block has no more shared memory than SHARED_BYTES");
    if (schedule.resident == 0) throw Fault("a block at least is resident");
    Grid(extent, schedule, kernel).run();
}

}  // namespace emulation
