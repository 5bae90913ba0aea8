#include "simt/job.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace simt {

Job::Job(const Grid& grid, unsigned resident, unsigned workers)
    : grid_(grid), resident_(resident), order_(grid.block_count()), workers_(workers) {
    std::iota(order_.begin(), order_.end(), 0u);
    if (grid.seed != 0) std::shuffle(order_.begin(), order_.end(), std::mt19937_64(grid.seed));
}

bool Job::begin(unsigned& turn) {
    if (!blocks_left()) return false;
    if (in_flight_.fetch_add(1) < resident_) {
        turn = next_.fetch_add(1);
        if (turn < order_.size() && turn <= first_fault_.load()) {
            advance();
            return true;
        }
    }
    --in_flight_;
    return false;
}

bool Job::blocks_left() const { return next_.load() < order_.size() && !failed(); }

void Job::end(unsigned turn, const std::string& fault) {
    --in_flight_;
    advance();
    if (fault.empty()) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (turn >= first_fault_.load()) return;
    first_fault_ = turn;
    fault_ = fault;
}

void Job::stands_still(std::uint64_t seen) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (still_since_ != seen) still_ = 0;
    still_since_ = seen;
    ++still_;
    if (still_ == workers_ && progress() == seen) deadlocked_ = true;
}

void Job::leave(const Tally& tally) {
    const std::lock_guard<std::mutex> lock(mutex_);
    --workers_;
    advance();  // those that stand still are to be counted anew
    if (result_.steps.size() < tally.steps.size()) result_.steps.resize(tally.steps.size());
    for (std::size_t i = 0; i < tally.steps.size(); ++i) result_.steps[i] += tally.steps[i];
    result_.trace.insert(result_.trace.end(), tally.trace.begin(), tally.trace.end());
    result_.shared.insert(result_.shared.end(), tally.shared.begin(), tally.shared.end());
}

}  // namespace simt
