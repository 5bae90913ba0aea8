#include "simt/worker.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <new>

// threadIdx and its like are constant to kernels; these are the same variables under names that may be set.
extern "C" {
extern __thread uint3 simt_thread_index __asm__("threadIdx");
extern __thread uint3 simt_block_index __asm__("blockIdx");
extern __thread uint3 simt_block_extent __asm__("blockDim");
extern __thread uint3 simt_grid_extent __asm__("gridDim");
__thread uint3 simt_thread_index = {};
__thread uint3 simt_block_index = {};
__thread uint3 simt_block_extent = {};
__thread uint3 simt_grid_extent = {};
}

namespace simt {

__thread Worker* Worker::current = nullptr;

namespace {

// A stack is 64 KiB and 9 cache lines: were it a power of two, the tops of all stacks would share a cache
// set.
constexpr std::size_t STACK_BYTES = 64 * 1024 + 9 * 64;
constexpr unsigned MAX_THREADS = 1024;

/// A stack that belongs to someone else.
struct LentStack {
    boost::context::stack_context stack;
    boost::context::stack_context allocate() { return stack; }
    void deallocate(boost::context::stack_context&) noexcept {}
};

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

// --- Blocks

Worker::Worker() : written_(arrays_.segment_bytes() / 4 + 2) {
    void* room = mmap(nullptr, STACK_BYTES * MAX_THREADS, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) throw std::bad_alloc();
    stacks_ = static_cast<char*>(room);
}

Worker::~Worker() {
    lanes_.clear();  // unwinds the fibers, which wait in make_lanes
    munmap(stacks_, STACK_BYTES * MAX_THREADS);
}

std::string Worker::run(const Grid& grid, unsigned block, Tally& tally) {
    prepare(grid, block);
    for (bool more = true; more && fault_.empty(); ++step_) {
        run_step();
        if (!fault_.empty() || !all_lanes_agree()) break;
        more = lanes_[0]->state == State::at_barrier;
        end_step(tally);
    }
    if (!fault_.empty()) abandon_lanes();
    return fault_;
}

void Worker::prepare(const Grid& grid, unsigned block) {
    grid_ = &grid;
    block_ = block;
    block_index_ = index_of(block, grid.blocks);
    simt_block_index = block_index_;
    simt_block_extent = {grid.threads.x, grid.threads.y, grid.threads.z};
    simt_grid_extent = {grid.blocks.x, grid.blocks.y, grid.blocks.z};
    ++block_serial_;
    step_ = 0;
    fault_.clear();
    recent_[0] = recent_[1] = nullptr;
    hazards_.next_step();
    turns_.seed(grid.seed * 0x9e3779b97f4a7c15u + block);

    lanes_used_ = grid.thread_count();
    make_lanes(lanes_used_);
    warps_.resize(std::max<std::size_t>(warps_.size(), (lanes_used_ + 31) / 32));
    warp_order_.clear();
    for (unsigned w = 0; w * 32 < lanes_used_; ++w) {
        warp_order_.push_back(w);
        warps_[w].log.clear();
        warps_[w].lanes.clear();
    }
    for (unsigned t = 0; t < lanes_used_; ++t) {
        Lane& lane = *lanes_[t];
        lane.state = State::ready;
        lane.index = index_of(t, grid.threads);
        warps_[t / 32].lanes.push_back(&lane);
    }
}

void Worker::make_lanes(unsigned count) {
    while (lanes_.size() < count) {
        auto lane = std::make_unique<Lane>();
        lane->number = unsigned(lanes_.size());
        char* const bottom = stacks_ + STACK_BYTES * lanes_.size();
        lane->stack_begin = reinterpret_cast<std::uintptr_t>(bottom);
        lane->stack_end = lane->stack_begin + STACK_BYTES;

        LentStack stack;
        stack.stack.size = STACK_BYTES;
        stack.stack.sp = bottom + STACK_BYTES;
        lane->fiber =
            boost::context::fiber(std::allocator_arg, stack, [this](boost::context::fiber&& scheduler) {
                scheduler_ = std::move(scheduler);
                for (;;) {  // the same fiber runs this lane of block after block
                    grid_->invoke(grid_->call);
                    lane_->state = State::done;
                    yield();
                }
                return boost::context::fiber();
            });
        lanes_.push_back(std::move(lane));
    }
}

void Worker::abandon_lanes() {
    // Some fibers stand in the middle of a kernel, which cannot be unwound: they are left as they are, and
    // their stacks are used anew.
    for (auto& lane : lanes_) new boost::context::fiber(std::move(lane->fiber));
    lanes_.clear();
}

// --- Turns

void Worker::resume(Lane& lane) {
    lane_ = &lane;
    simt_thread_index = lane.index;
    current = this;
    lane.fiber = std::move(lane.fiber).resume();
    current = nullptr;
}

void Worker::yield() { scheduler_ = std::move(scheduler_).resume(); }

void Worker::run_step() {
    if (grid_->seed != 0) {
        std::shuffle(warp_order_.begin(), warp_order_.end(), turns_);
        for (const unsigned w : warp_order_)
            std::shuffle(warps_[w].lanes.begin(), warps_[w].lanes.end(), turns_);
    }
    for (const unsigned w : warp_order_) {
        run_warp(warps_[w]);
        while (fault_.empty() && release_meetings(w)) run_warp(warps_[w]);
        if (!fault_.empty()) return;
    }
}

void Worker::run_warp(Warp& warp) {
    for (Lane* lane : warp.lanes) {
        if (lane->state == State::ready) resume(*lane);
        if (!fault_.empty()) return;
    }
}

bool Worker::all_lanes_agree() {
    const Lane* const first = lanes_[0].get();
    for (unsigned t = 1; t < lanes_used_; ++t) {
        const Lane* const other = lanes_[t].get();
        if (other->state == first->state && (first->state == State::done || other->barrier == first->barrier))
            continue;
        const Lane* const waits = first->state == State::at_barrier ? first : other;
        const Lane* const absent = waits == first ? other : first;
        std::string what = "a barrier that not all lanes reach: thread " + std::to_string(absent->number);
        if (absent->state == State::done) {
            what += " ended without it";
        } else {
            const std::string place = source_position(absent->barrier);
            what += " waits at another barrier" + (place.empty() ? "" : ", " + place);
        }
        report(*waits, what, waits->barrier);
        return false;
    }
    return true;
}

void Worker::end_step(Tally& tally) {
    if (tally.steps.size() <= std::size_t(step_)) tally.steps.resize(std::size_t(step_) + 1);
    Counters& counters = tally.steps[std::size_t(step_)];
    for (unsigned w = 0; w * 32 < lanes_used_; ++w) {
        warps_[w].log.count(counters);
        if (grid_->trace && block_ == 0) add_trace(tally, w);
        warps_[w].log.clear();
    }
    if (lanes_[0]->state == State::done) return;
    ++counters.barriers;
    hazards_.next_step();
    for (unsigned t = 0; t < lanes_used_; ++t) lanes_[t]->state = State::ready;
}

void Worker::add_trace(Tally& tally, unsigned warp) const {
    int number = -1;
    for (const Request& request : warps_[warp].log.requests()) {
        ++number;
        const bool op = request.kind == Kind::op;
        if (!op && request.kind != Kind::shared_load && request.kind != Kind::shared_store) continue;
        const char* const kind = op ? "op" : request.kind == Kind::shared_load ? "load" : "store";
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!(request.lanes >> lane & 1)) continue;
            int word = -1;
            if (!op) {
                const std::size_t offset = request.address[lane] - shared_base_;
                word = int((offset - arrays_.all()[std::size_t(arrays_.at(offset))].begin) / 4);
            }
            tally.trace.push_back({0, step_, int(warp), number, kind, int(lane), word});
        }
    }
}

// --- Faults

void Worker::report(const Lane& lane, const std::string& what, const void* site) {
    if (!fault_.empty()) return;
    const std::string place = site == nullptr ? "" : source_position(site);
    fault_ = kernel_name(grid_->kernel) + ": block " + index_text(block_index_, grid_->blocks) + ", thread " +
             index_text(lane.index, grid_->threads) + " (warp " + std::to_string(lane.number / 32) +
             ", lane " + std::to_string(lane.number % 32) + ")" + (place.empty() ? "" : ", " + place) + ": " +
             what;
}

void Worker::fault(const std::string& what, const void* site) {
    report(*lane_, what, site);
    yield();
    std::abort();  // a lane that faulted is never resumed
}

}  // namespace simt
