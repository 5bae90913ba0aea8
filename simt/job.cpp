#include "simt/job.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace simt {

Job::Job(const Grid& grid, unsigned max_resident, unsigned workers)
    : grid_(grid), max_resident_(max_resident), order_(grid.block_count()), workers_(workers) {
    std::iota(order_.begin(), order_.end(), 0u);
    if (grid.seed != 0) std::shuffle(order_.begin(), order_.end(), std::mt19937_64(grid.seed));
}

bool Job::begin(unsigned& position) {
    if (!blocks_remain()) return false;
    if (resident_count_.fetch_add(1) < max_resident_) {
        position = next_.fetch_add(1);
        if (position < order_.size() && position <= first_fault_.load()) {
            advance();
            return true;
        }
    }
    --resident_count_;
    return false;
}

bool Job::blocks_remain() const { return next_.load() < order_.size() && !failed(); }

void Job::end(unsigned position, const std::string& fault, Hazard hazard) {
    --resident_count_;
    advance();
    if (fault.empty()) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (position >= first_fault_.load()) return;
    first_fault_ = position;
    fault_ = fault;
    hazard_ = hazard;
}

void Job::report_no_progress(std::uint64_t seen) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stalled_at_ != seen) stalled_workers_ = 0;
    stalled_at_ = seen;
    ++stalled_workers_;
    if (stalled_workers_ == workers_ && progress() == seen) deadlocked_ = true;
}

void Job::retire_worker(const Tally& tally) {
    const std::lock_guard<std::mutex> lock(mutex_);
    --workers_;
    advance();  // restart the count of stalled workers
    if (result_.steps.size() < tally.steps.size()) result_.steps.resize(tally.steps.size());
    for (std::size_t i = 0; i < tally.steps.size(); ++i) result_.steps[i] += tally.steps[i];
    result_.warnings.insert(result_.warnings.end(), tally.warnings.begin(), tally.warnings.end());
    for (const auto& [site, counts] : tally.sites) result_.sites[site] += counts;
    result_.site_trace.insert(result_.site_trace.end(), tally.site_trace.begin(), tally.site_trace.end());
    result_.trace.insert(result_.trace.end(), tally.trace.begin(), tally.trace.end());
    result_.shared.insert(result_.shared.end(), tally.shared.begin(), tally.shared.end());
}

}  // namespace simt
