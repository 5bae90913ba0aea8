// The lane scheduler of a block. Lanes are fibers that switch to the scheduler at barriers, warp syncs and
// failed polls.
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "simt/block.h"
#include "simt/watchdog.h"

// threadIdx and the other built-in variables are const in kernels. These are mutable aliases of them.
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

__thread Block* Block::current = nullptr;

namespace {

constexpr unsigned MAX_THREADS = 1024;

/// Stack allocator for a fiber that does not own its stack.
struct BorrowedStack {
    boost::context::stack_context stack;
    boost::context::stack_context allocate() { return stack; }
    void deallocate(boost::context::stack_context&) noexcept {}
};

}  // namespace

Block::Block() : written_(arrays_.segment_bytes() / 4 + 2) {
    void* room = mmap(nullptr, STACK_BYTES * MAX_THREADS, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) throw std::bad_alloc();
    stacks_ = static_cast<char*>(room);
}

Block::~Block() {
    lanes_.clear();  // unwinds the fibers, which are suspended in make_lanes
    munmap(stacks_, STACK_BYTES * MAX_THREADS);
}

void Block::make_lanes(unsigned count) {
    while (lanes_.size() < count) {
        auto lane = std::make_unique<Lane>();
        lane->number = unsigned(lanes_.size());
        char* const bottom = stacks_ + STACK_BYTES * lanes_.size();
        lane->stack_begin = reinterpret_cast<std::uintptr_t>(bottom);
        lane->stack_end = lane->stack_begin + STACK_BYTES;

        BorrowedStack stack;
        stack.stack.size = STACK_BYTES;
        stack.stack.sp = bottom + STACK_BYTES;
        lane->fiber =
            boost::context::fiber(std::allocator_arg, stack, [this](boost::context::fiber&& previous) {
                *left_ = std::move(previous);
                lane_->base_frame = __builtin_frame_address(0);
                for (;;) {  // the fiber is reused for this lane of later blocks
                    current = this;
                    grid_->invoke(grid_->call);
                    current = nullptr;
                    lane_->state = State::done;
                    ++ended_;
                    switch_away();
                }
                return boost::context::fiber();
            });
        lanes_.push_back(std::move(lane));
    }
}

void Block::abandon_lanes() {
    // Some fibers are suspended inside a kernel, which cannot be unwound. Leak the fiber objects and reuse
    // the stacks.
    for (auto& lane : lanes_) new boost::context::fiber(std::move(lane->fiber));
    lanes_.clear();
    for (Warp& warp : warps_) warp.log.clear();
}

void Block::set_indices() const {
    simt_block_index = block_index_;
    simt_block_extent = {grid_->threads.x, grid_->threads.y, grid_->threads.z};
    simt_grid_extent = {grid_->blocks.x, grid_->blocks.y, grid_->blocks.z};
}

/// Leave what runs now, whose fiber is `leaving`, for a lane. Returns when something switches back.
void Block::resume(Lane& lane, boost::context::fiber& leaving) {
    lane_ = &lane;
    simt_thread_index = lane.index;
    watch(this);
    left_ = &leaving;
    boost::context::fiber previous = std::move(lane.fiber).resume();
    *left_ = std::move(previous);
}

/// The current lane can run no further: switch to the next one of its warp, or else to the scheduler.
void Block::switch_away() {
    boost::context::fiber& own = lane_->fiber;
    while (next_ != last_ && fault_.empty()) {
        Lane& next = **next_++;
        if (next.state == State::ready) return resume(next, own);
    }
    left_ = &own;
    boost::context::fiber previous = std::move(scheduler_).resume();
    *left_ = std::move(previous);
}

/// Run every lane as far as it can run. Returns true if none has yielded or waits: the step is complete.
bool Block::run_step() {
    if (copies_.work(random_, grid_->seed == 0, order_.block())) changed_memory_ = true;
    for (unsigned t = 0; yielded_ > 0 && t < lanes_used_; ++t) {
        Lane& lane = *lanes_[t];
        const bool over = lane.state == State::waiting && *lane.counter != lane.counted;
        if (lane.state != State::yielded && !over) continue;
        lane.state = State::ready;
        --yielded_;
    }
    if (grid_->seed != 0) {
        std::shuffle(warp_order_.begin(), warp_order_.end(), random_);
        for (const unsigned w : warp_order_)
            std::shuffle(warps_[w].lanes.begin(), warps_[w].lanes.end(), random_);
    }
    do {
        for (const unsigned w : warp_order_) {
            run_warp(warps_[w]);
            while (warps_[w].syncs && fault_.empty() && release_warp_syncs(w)) run_warp(warps_[w]);
            if (!fault_.empty()) return false;
        }
    } while (groups_ && release_group_barriers());
    return yielded_ == 0;
}

/// Run the warp's lanes as far as they can run, or to a fault. Each switches to the next.
void Block::run_warp(Warp& warp) {
    next_ = warp.lanes.data();
    last_ = next_ + warp.lanes.size();
    while (next_ != last_ && (*next_)->state != State::ready) ++next_;
    if (next_ == last_) return;
    resume(**next_++, scheduler_);
    watch(nullptr);
}

void Block::yield(const void* site) {
    lane_->state = State::yielded;
    lane_->site = site;
    ++yielded_;
    switch_away();
}

/// Sleep until the counter changes.
void Block::wait_for(const std::uint32_t& counter, const void* site) {
    lane_->counter = &counter;
    lane_->counted = counter;
    lane_->site = site;
    lane_->state = State::waiting;
    ++yielded_;
    switch_away();
}

/// Called at a fence or a volatile store. Under a nonzero seed, the lane yields half of the time, so that
/// other blocks' accesses may be interleaved between its accesses before and after.
void Block::maybe_yield() {
    if (grid_->seed != 0 && random_() % 2 == 0) yield();
}

}  // namespace simt
