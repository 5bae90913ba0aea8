#include "simt/worker.h"

#include <sched.h>

#include <algorithm>

namespace simt {

namespace {
// Rounds without any progress that make a deadlock: a lane may look this often before it does something else.
constexpr unsigned PATIENCE = 2'000;
}  // namespace

void Worker::work(Job& job) {
    Tally tally;
    turns_.seed(job.grid().seed);
    next_ = 0;
    seen_ = job.progress();
    in_vain_ = 0;
    while (!in_flight_.empty() || job.blocks_left()) {
        if (!begin(job) && next_ == in_flight_.size()) watch(job);
        if (next_ < in_flight_.size()) run(job, tally);
    }
    job.leave(tally);
}

/// Begin a block, if there is a place for it, and give it the next turn.
bool Worker::begin(Job& job) {
    const bool rather_go_on = job.grid().seed != 0 && !in_flight_.empty() && turns_() % 2 == 0;
    unsigned turn = 0;
    if (rather_go_on || !job.begin(turn)) return false;
    if (idle_.empty()) idle_.push_back(std::make_unique<Block>());
    in_flight_.push_back({std::move(idle_.back()), turn});
    idle_.pop_back();
    next_ = in_flight_.size() - 1;
    Block* const block = in_flight_[next_].block.get();
    make_resident(nullptr);
    block->begin(job.grid(), job.block(turn));
    resident_ = block;
    return true;
}

/// Give the block whose turn it is its turn.
void Worker::run(Job& job, Tally& tally) {
    Block& block = *in_flight_[next_].block;
    make_resident(&block);
    const Block::Turn turn = block.run(tally);
    if (block.changed_memory()) job.advance();
    if (turn != Block::Turn::waits) return end(job, block.fault());
    if (job.deadlocked())
        return give_up(job, "a deadlock: every block in flight waits for what none of them will do");
    if (job.failed()) return give_up(job, "");
    ++next_;
}

void Worker::end(Job& job, const std::string& fault) {
    job.end(in_flight_[next_].turn, fault);
    if (resident_ == in_flight_[next_].block.get()) resident_ = nullptr;
    idle_.push_back(std::move(in_flight_[next_].block));
    in_flight_.erase(in_flight_.begin() + std::ptrdiff_t(next_));
}

/// A block that waits will never end.
void Worker::give_up(Job& job, const std::string& fault) {
    Block& block = *in_flight_[next_].block;
    if (!fault.empty()) block.report_poll(fault);
    block.give_up();
    end(job, block.fault());
}

/// Put the block's shared memory in its place, or make room for that of a new one.
void Worker::make_resident(Block* block) {
    if (resident_ == block) return;
    if (resident_ != nullptr) resident_->swap_out();
    if (block != nullptr) block->swap_in();
    resident_ = block;
}

/// A round is over: every block in flight here had its turn and waits.
void Worker::watch(Job& job) {
    next_ = 0;
    if (job.grid().seed != 0) std::shuffle(in_flight_.begin(), in_flight_.end(), turns_);
    const std::uint64_t progress = job.progress();
    if (progress != seen_) {
        seen_ = progress;
        in_vain_ = 0;
    } else if (++in_vain_ == PATIENCE) {
        job.stands_still(seen_);
    }
    sched_yield();  // others may have work for this CPU
}

}  // namespace simt
