#include "simt/block.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

namespace simt {

namespace {

std::string index_text(uint3 index, dim3 extent) {
    std::string text = std::to_string(index.x);
    if (extent.y > 1 || extent.z > 1) text = "(" + text + "," + std::to_string(index.y);
    if (extent.z > 1) text += "," + std::to_string(index.z);
    return extent.y > 1 || extent.z > 1 ? text + ")" : text;
}

uint3 index_of(unsigned number, dim3 extent) {
    return {number % extent.x, number / extent.x % extent.y, number / extent.x / extent.y};
}

}  // namespace

// --- Execution

void Block::begin(const Grid& grid, unsigned number) {
    if (grid.first_block != launch_) warned_.clear();
    launch_ = grid.first_block;
    grid_ = &grid;
    block_ = number;
    block_index_ = index_of(number, grid.blocks);
    ++block_serial_;
    step_ = 0;
    yielded_ = ended_ = arrived_ = holding_ = 0;
    groups_ = false;
    changed_memory_ = false;
    fault_.clear();
    array_begin_ = array_end_ = 0;
    recent_[0] = recent_[1] = nullptr;
    order_.begin(grid.first_block + number, grid.first_block, grid.thread_count());
    shared_released_.clear();
    copies_.begin(grid.thread_count());
    if (grid.seed != 0) random_.seed(grid.seed * 0x9e3779b97f4a7c15u + number);

    lanes_used_ = grid.thread_count();
    make_lanes(lanes_used_);
    warps_.resize(std::max<std::size_t>(warps_.size(), (lanes_used_ + 31) / 32));
    warp_order_.clear();
    for (unsigned w = 0; w * 32 < lanes_used_; ++w) {
        warp_order_.push_back(w);
        warps_[w].log.clear();
        warps_[w].lanes.clear();
        warps_[w].syncs = false;
    }
    for (unsigned t = 0; t < lanes_used_; ++t) {
        Lane& lane = *lanes_[t];
        lane.state = State::ready;
        lane.index = index_of(t, grid.threads);
        lane.polls = lane.polls_recorded = lane.observed_size = 0;
        lane.counter = nullptr;
        warps_[t / 32].lanes.push_back(&lane);
    }
}

Block::RunResult Block::run(Tally& tally) {
    set_indices();
    for (bool more = true; more; ++step_) {
        const bool over = run_step();
        tally.warnings.insert(tally.warnings.end(), warnings_.begin(), warnings_.end());
        warnings_.clear();
        if (fault_.empty() && !over) return RunResult::yielded;
        if (!fault_.empty() || !lanes_converged()) {
            abandon_lanes();
            return RunResult::faulted;
        }
        more = lanes_[0]->state == State::at_barrier;
        end_step(tally);
    }
    const std::string left = copies_.left_undone();
    if (!left.empty()) {
        report(*lanes_[0], Hazard::misuse, left, nullptr);
        return RunResult::faulted;
    }
    copies_.finish(order_.block());
    return RunResult::ended;
}

/// Have all lanes ended, or are all at one barrier? Reports a fault otherwise.
bool Block::lanes_converged() {
    if (ended_ == lanes_used_ || arrived_ == lanes_used_) return true;
    const Lane* const first = lanes_[0].get();
    if (first->state == State::at_group_barrier) {
        report(*first, Hazard::divergent_barrier, "divergent barrier: not all threads of the group reach it",
               first->site);
        return false;
    }
    for (unsigned t = 1; t < lanes_used_; ++t) {
        const Lane* const other = lanes_[t].get();
        if (other->state == first->state && (first->state == State::done || other->site == first->site))
            continue;
        const Lane* const waiting = first->state != State::done ? first : other;
        const Lane* const absent = waiting == first ? other : first;
        std::string what = "divergent barrier: thread " + std::to_string(absent->number);
        if (absent->state == State::done) {
            what += " exited without reaching it";
        } else {
            const std::string place = source_position(absent->site);
            what += " waits at another barrier" + (place.empty() ? "" : ", " + place);
        }
        report(*waiting, Hazard::divergent_barrier, what, waiting->site);
        return false;
    }
    return true;
}

void Block::end_step(Tally& tally) {
    if (tally.steps.size() <= std::size_t(step_)) tally.steps.resize(std::size_t(step_) + 1);
    Counters& counters = tally.steps[std::size_t(step_)];
    const bool traced = grid_->trace && block_ == 0;
    if (traced) add_shared(tally);
    for (unsigned w = 0; w * 32 < lanes_used_; ++w) {
        warps_[w].log.count(counters, [&](const void* site) {
            return grid_->by_site ? &tally.sites[program_.offset(site)] : nullptr;
        });
        if (traced) add_trace(tally, w);
        if (grid_->traced_block == std::int64_t(block_)) add_site_trace(tally, w);
        warps_[w].log.clear();
    }
    if (lanes_[0]->state == State::done) return;
    ++counters.barriers;
    if (grid_->by_site) ++tally.sites[program_.offset(lanes_[0]->site)].barriers;
    order_.barrier();
    for (unsigned t = 0; t < lanes_used_; ++t) lanes_[t]->state = State::ready;
    held_ = std::exchange(holding_, 0);
    arrived_ = 0;
}

void Block::add_trace(Tally& tally, unsigned warp) const {
    int number = -1;
    for (const Request& request : warps_[warp].log.requests()) {
        ++number;
        const bool op = request.kind == Kind::op;
        if (!op && request.kind != Kind::shared_load && request.kind != Kind::shared_store) continue;
        const char* const kind = op ? "op" : request.kind == Kind::shared_load ? "load" : "store";
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!(request.lanes >> lane & 1)) continue;
            int word = -1, words = 0;
            if (!op) {
                const std::size_t offset = request.address[lane] - shared_base_;
                word = int((offset - arrays_.all()[std::size_t(arrays_.at(offset))].begin) / 4);
                words = (request.size + 3) / 4;
            }
            tally.trace.push_back({0, step_, int(warp), number, kind, int(lane), word, words});
        }
    }
}

void Block::add_site_trace(Tally& tally, unsigned warp) const {
    static constexpr const char* KINDS[] = {"shared load",   "shared store",  "global load",  "global store",
                                            "volatile load", "shared atomic", "global atomic"};
    int number = -1;
    for (const Request& request : warps_[warp].log.requests()) {
        ++number;
        if (request.kind >= Kind::op) continue;
        const Cost cost = cost_of(request);
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!(request.lanes >> lane & 1)) continue;
            SiteAccess access = {program_.offset(request.site),
                                 step_,
                                 int(warp),
                                 number,
                                 int(lane),
                                 KINDS[unsigned(request.kind)],
                                 request.address[lane],
                                 "",
                                 request.size,
                                 cost.passes.taken + cost.sectors};
            if (is_shared(access.address)) {
                const std::size_t offset = access.address - shared_base_;
                const SharedArray& array = arrays_.all()[std::size_t(arrays_.at(offset))];
                access.array = array.name.c_str();
                access.address = offset - array.begin;
            }
            tally.site_trace.push_back(access);
        }
    }
}

/// Record the words of shared memory that the step wrote, in order of address.
void Block::add_shared(Tally& tally) const {
    std::set<std::pair<const SharedArray*, int>> written;
    for (unsigned w = 0; w * 32 < lanes_used_; ++w) {
        for (const Request& request : warps_[w].log.requests()) {
            if (request.kind != Kind::shared_store && request.kind != Kind::shared_atomic) continue;
            for (unsigned lane = 0; lane < 32; ++lane) {
                if (!(request.lanes >> lane & 1)) continue;
                const std::size_t offset = request.address[lane] - shared_base_;
                const SharedArray& array = arrays_.all()[std::size_t(arrays_.at(offset))];
                const int last = int((offset + request.size - 1 - array.begin) / 4);
                for (int word = int((offset - array.begin) / 4); word <= last; ++word)
                    written.insert({&array, word});
            }
        }
    }
    for (const auto& [array, word] : written) {
        const std::size_t begin = array->begin + std::size_t(word) * 4;
        std::int32_t value = 0;
        std::memcpy(&value, reinterpret_cast<const void*>(shared_base_ + begin),
                    std::min<std::size_t>(4, array->end - begin));
        tally.shared.push_back({0, step_, array->name.c_str(), word, value});
    }
}

// --- Shared memory

/// Call visit(first byte, number of bytes) for each shared array that the kernel may access.
template <class Visit>
void Block::for_each_array(Visit visit) {
    for (std::size_t i = 0; i < arrays_.all().size(); ++i) {
        const SharedArray& array = arrays_.all()[i];
        const std::size_t bytes = array.dynamic() ? grid_->dynamic_shared_bytes : array.end - array.begin;
        if (grid_->allowed[i]) visit(reinterpret_cast<char*>(shared_base_ + array.begin), bytes);
    }
}

void Block::swap_out() {
    swapped_out_.clear();
    for_each_array([this](const char* data, std::size_t bytes) {
        swapped_out_.insert(swapped_out_.end(), data, data + bytes);
    });
}

void Block::swap_in() {
    const char* from = swapped_out_.data();
    for_each_array([&from](char* data, std::size_t bytes) {
        std::memcpy(data, from, bytes);
        from += bytes;
    });
}

// --- Faults

std::string Block::describe(const Lane& lane, const std::string& what, const void* site) const {
    const std::string position = site == nullptr ? "" : source_position(site);
    return kernel_name(grid_->kernel) + ": block " + index_text(block_index_, grid_->blocks) + ", thread " +
           index_text(lane.index, grid_->threads) + " (warp " + std::to_string(lane.number / 32) + ", lane " +
           std::to_string(lane.number % 32) + ")" + (position.empty() ? "" : ", " + position) +
           (what.empty() ? "" : ": " + what);
}

void Block::report(const Lane& lane, Hazard hazard, const std::string& what, const void* site) {
    if (!fault_.empty()) return;
    hazard_ = hazard;
    fault_ = describe(lane, what, site);
}

void Block::fail_assertion(const std::string& condition, const void* site) {
    fault(Hazard::assertion, "assertion failed: " + condition, site);
}

void Block::fail_endless(std::size_t requests, std::size_t mebibytes) {
    fault(Hazard::endless_loop,
          "an endless loop? Its warp has made " + std::to_string(requests) +
              " requests without reaching a barrier or "
              "its end, and those of all warps fill " +
              std::to_string(mebibytes) + " MiB (SIMT_MEMORY=<MiB> allows more)",
          current_site());
}

void Block::report_poll(const std::string& what) {
    for (unsigned t = 0; t < lanes_used_; ++t) {
        const Lane& lane = *lanes_[t];
        if (lane.state == State::waiting)
            return report(lane, Hazard::deadlock, what + "; this thread waits for a copy or an mbarrier",
                          lane.site);
        if (lane.state != State::yielded) continue;
        if (lane.site != nullptr)
            return report(lane, Hazard::deadlock, what + "; this thread waits for all blocks of the grid",
                          lane.site);
        if (lane.polls == 0) return report(lane, Hazard::deadlock, what, nullptr);
        return report(lane, Hazard::deadlock,
                      what + "; this thread polls address " + hex(lane.last_poll.address),
                      lane.last_poll.site);
    }
}

void Block::fault(Hazard hazard, const std::string& what, const void* site) {
    report(*lane_, hazard, what, site);
    switch_away();
    std::abort();  // not reached: a lane that faulted is never resumed
}

}  // namespace simt
