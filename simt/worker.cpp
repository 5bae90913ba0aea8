#include "simt/worker.h"

#include <sched.h>

#include <algorithm>

namespace simt {

namespace {
// Rounds without progress after which a worker assumes a deadlock; a correct lane may fail this many polls.
constexpr unsigned ROUNDS_BEFORE_DEADLOCK = 2'000;
}  // namespace

void Worker::work(Job& job) {
    Tally tally;
    random_.seed(job.grid().seed);
    next_ = 0;
    progress_ = job.progress();
    stalled_rounds_ = 0;
    while (!resident_.empty() || job.blocks_remain()) {
        if (!begin(job) && next_ == resident_.size()) end_round(job);
        if (next_ < resident_.size()) run(job, tally);
    }
    job.retire_worker(tally);
}

/// Start a block and make it the next to run. Returns false if none can start now.
bool Worker::begin(Job& job) {
    const bool defer = job.grid().seed != 0 && !resident_.empty() && random_() % 2 == 0;
    unsigned position = 0;
    if (defer || !job.begin(position)) return false;
    if (idle_.empty()) idle_.push_back(std::make_unique<Block>());
    resident_.push_back({std::move(idle_.back()), position});
    idle_.pop_back();
    next_ = resident_.size() - 1;
    Block* const block = resident_[next_].block.get();
    swap_in(nullptr);
    block->begin(job.grid(), job.block(position));
    swapped_in_ = block;
    return true;
}

/// Run the next block until it ends, faults or yields.
void Worker::run(Job& job, Tally& tally) {
    Block& block = *resident_[next_].block;
    swap_in(&block);
    const Block::RunResult result = block.run(tally);
    if (block.changed_memory()) job.advance();
    if (result != Block::RunResult::yielded) return end(job, block.fault());
    if (job.deadlocked()) return abandon(job, "deadlock: no resident block can make progress");
    if (job.failed()) return abandon(job, "");
    ++next_;
}

void Worker::end(Job& job, const std::string& fault) {
    job.end(resident_[next_].position, fault, resident_[next_].block->hazard());
    if (swapped_in_ == resident_[next_].block.get()) swapped_in_ = nullptr;
    idle_.push_back(std::move(resident_[next_].block));
    resident_.erase(resident_.begin() + std::ptrdiff_t(next_));
}

/// The current block has yielded and will not be resumed.
void Worker::abandon(Job& job, const std::string& fault) {
    Block& block = *resident_[next_].block;
    if (!fault.empty()) block.report_poll(fault);
    block.abandon();
    end(job, block.fault());
}

/// Swap in the block's shared memory. For null, only swap out the present contents.
void Worker::swap_in(Block* block) {
    if (swapped_in_ == block) return;
    if (swapped_in_ != nullptr) swapped_in_->swap_out();
    if (block != nullptr) block->swap_in();
    swapped_in_ = block;
}

/// A round is complete: every resident block of this worker has run and yielded.
void Worker::end_round(Job& job) {
    next_ = 0;
    if (job.grid().seed != 0) std::shuffle(resident_.begin(), resident_.end(), random_);
    const std::uint64_t progress = job.progress();
    if (progress != progress_) {
        progress_ = progress;
        stalled_rounds_ = 0;
    } else if (++stalled_rounds_ == ROUNDS_BEFORE_DEADLOCK) {
        job.report_no_progress(progress_);
    }
    sched_yield();  // other CPU threads may have work
}

}  // namespace simt
