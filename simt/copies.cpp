#include "simt/copies.h"

#include <cstring>
#include <utility>

namespace simt {

namespace {

constexpr unsigned MOST_BARRIERS = 1024;

Unit loads_of(unsigned barrier) { return Unit(COPIES + barrier); }
Unit reads_of(unsigned lane) { return Unit(COPIES + MOST_BARRIERS + lane); }
Unit writes_of(unsigned lane) { return Unit(COPIES + MOST_BARRIERS + 1024 + lane); }

Knowledge done(std::uint32_t block, Unit agent, std::uint32_t time) {
    auto clock = std::make_shared<Clock>();
    clock->entries.push_back({block, agent, time + 1});
    return {clock, nullptr, nullptr};
}

}  // namespace

void Copies::begin(unsigned lanes) {
    if (!barriers_.empty() || !stores_.empty()) {
        index_.clear();
        barriers_.clear();
        stores_.clear();
    }
    jobs_.clear();
    pause_ = 0;
    lanes_ = lanes;
}

// --- Mbarriers

std::string Copies::init(std::uintptr_t barrier, unsigned arrivals, unsigned lane) {
    if (arrivals == 0) return "an mbarrier needs at least one arrival";
    if (barrier % 8 != 0) return "an mbarrier at an address that is no multiple of 8";
    const auto [found, is_new] = index_.try_emplace(barrier, unsigned(barriers_.size()));
    if (is_new && barriers_.size() == MOST_BARRIERS) return "more than 1,024 mbarriers in a block";
    if (is_new) barriers_.emplace_back();
    Barrier& at = barriers_[found->second];
    at = {};
    at.arrivals = at.missing = arrivals;
    at.initialised_by = lane;
    return "";
}

void Copies::fence_mbarrier_init(unsigned lane) {
    for (Barrier& barrier : barriers_) barrier.shown |= barrier.initialised_by == lane;
}

void Copies::settle(Barrier& barrier) {
    if (barrier.missing > 0 || barrier.bytes != 0) return;
    barrier.missing = barrier.arrivals;
    barrier.completed = std::exchange(barrier.arriving, {});
    ++barrier.phases;
}

std::string Copies::arrive(std::uintptr_t barrier, unsigned bytes, BlockOrder& order, unsigned lane) {
    const auto found = index_.find(barrier);
    if (found == index_.end()) return "arrival at an mbarrier that is not initialised";
    Barrier& at = barriers_[found->second];
    if (at.missing == 0) return "more arrivals at an mbarrier than it expects";
    at.arriving.learn(order.knowledge(lane));
    --at.missing;
    at.bytes += bytes;
    settle(at);
    return "";
}

const std::uint32_t* Copies::phase(std::uintptr_t barrier) const {
    const auto found = index_.find(barrier);
    return found == index_.end() ? nullptr : &barriers_[found->second].phases;
}

// --- Copies

std::string Copies::load(std::uintptr_t barrier, char* to, const char* from, unsigned bytes,
                         std::uint32_t time, Unit& agent) {
    const auto found = index_.find(barrier);
    if (found == index_.end()) return "bulk load with an mbarrier that is not initialised";
    if (!barriers_[found->second].shown)
        return "bulk load with an mbarrier whose initialisation no fence has shown to copies";
    agent = loads_of(found->second);
    jobs_.push_back({true, found->second, to, from, bytes, 0, time, false, {}});
    return "";
}

void Copies::store(unsigned lane, char* to, const char* from, unsigned bytes, std::uint32_t time,
                   Unit& reader, Unit& writer) {
    if (stores_.empty()) stores_.resize(lanes_);
    Stores& stores = stores_[lane];
    stores.open_time = time;
    jobs_.push_back({false, lane, to, from, bytes, stores.groups, time, false, {}});
    reader = reads_of(lane);
    writer = writes_of(lane);
}

void Copies::commit_group(unsigned lane) {
    if (stores_.empty()) stores_.resize(lanes_);
    Stores& stores = stores_[lane];
    stores.time_of_group.push_back(std::exchange(stores.open_time, 0));
    ++stores.groups;
}

bool Copies::are_read(unsigned lane, unsigned groups) const {
    if (stores_.empty()) return true;
    for (const Job& job : jobs_)
        if (!job.is_load && !job.was_read && job.lane_or_barrier == lane &&
            job.group + groups < stores_[lane].groups)
            return false;
    return true;
}

Knowledge Copies::read_groups(unsigned lane, unsigned groups, const BlockOrder& order) const {
    if (stores_.empty()) return {};
    const auto& times = stores_[lane].time_of_group;
    for (std::size_t i = times.size(); i-- > 0;)
        if (i + groups < times.size() && times[i] != 0) return done(order.block(), reads_of(lane), times[i]);
    return {};
}

// --- Their agents

void Copies::step(std::size_t index, std::uint32_t block) {
    Job& job = jobs_[index];
    if (!job.is_load && !job.was_read) {
        job.read.assign(job.from, job.from + job.bytes);
        job.was_read = true;
        ++stores_[job.lane_or_barrier].reads;
        return;
    }
    if (job.is_load) {
        std::memcpy(job.to, job.from, job.bytes);
        Barrier& barrier = barriers_[job.lane_or_barrier];
        barrier.bytes -= job.bytes;
        barrier.arriving.learn(done(block, loads_of(job.lane_or_barrier), job.time));
        settle(barrier);
    } else {
        std::memcpy(job.to, job.read.data(), job.bytes);
    }
    jobs_.erase(jobs_.begin() + std::ptrdiff_t(index));
}

bool Copies::work(std::mt19937_64& random, bool in_order, std::uint32_t block) {
    if (jobs_.empty()) return false;
    if (in_order) {
        while (!jobs_.empty()) step(0, block);
        return true;
    }
    constexpr unsigned SELDOM = 4, LONGEST = 40;  // so that lanes run ahead, or far ahead
    if (pause_ > 0) {
        --pause_;
        return true;  // they will go on
    }
    if (random() % LONGEST == 0) pause_ = unsigned(random() % LONGEST);
    while (!jobs_.empty() && random() % SELDOM != 0) step(random() % jobs_.size(), block);
    return true;
}

void Copies::finish(std::uint32_t block) {
    while (!jobs_.empty()) step(0, block);
}

std::string Copies::left_undone() const {
    for (const Job& job : jobs_) {
        if (job.is_load) return "the block ends before a bulk load has completed";
        if (!job.was_read) return "the block ends before the source of a bulk store has been read";
    }
    return "";
}

}  // namespace simt
