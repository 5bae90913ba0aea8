// How the lanes of a block take turns: fibers that give way to one another at barriers, meetings and polls.
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "simt/block.h"

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

__thread Block* Block::current = nullptr;

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

}  // namespace

Block::Block() : written_(arrays_.segment_bytes() / 4 + 2) {
    void* room = mmap(nullptr, STACK_BYTES * MAX_THREADS, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) throw std::bad_alloc();
    stacks_ = static_cast<char*>(room);
}

Block::~Block() {
    lanes_.clear();  // unwinds the fibers, which wait in make_lanes
    munmap(stacks_, STACK_BYTES * MAX_THREADS);
}

void Block::make_lanes(unsigned count) {
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

void Block::abandon_lanes() {
    // Some fibers stand in the middle of a kernel, which cannot be unwound: they are left as they are, and
    // their stacks are used anew.
    for (auto& lane : lanes_) new boost::context::fiber(std::move(lane->fiber));
    lanes_.clear();
}

void Block::set_indices() const {
    simt_block_index = block_index_;
    simt_block_extent = {grid_->threads.x, grid_->threads.y, grid_->threads.z};
    simt_grid_extent = {grid_->blocks.x, grid_->blocks.y, grid_->blocks.z};
}

void Block::resume(Lane& lane) {
    lane_ = &lane;
    simt_thread_index = lane.index;
    current = this;
    lane.fiber = std::move(lane.fiber).resume();
    current = nullptr;
}

void Block::yield() { scheduler_ = std::move(scheduler_).resume(); }

/// Let every lane that can run have its turn. True if none gave way: the step is over.
bool Block::run_step() {
    for (unsigned t = 0; waiting_ > 0 && t < lanes_used_; ++t) {
        if (lanes_[t]->state != State::gave_way) continue;
        lanes_[t]->state = State::ready;
        --waiting_;
    }
    if (grid_->seed != 0) {
        std::shuffle(warp_order_.begin(), warp_order_.end(), turns_);
        for (const unsigned w : warp_order_)
            std::shuffle(warps_[w].lanes.begin(), warps_[w].lanes.end(), turns_);
    }
    for (const unsigned w : warp_order_) {
        run_warp(warps_[w]);
        while (fault_.empty() && release_meetings(w)) run_warp(warps_[w]);
        if (!fault_.empty()) return false;
    }
    return waiting_ == 0;
}

void Block::run_warp(Warp& warp) {
    for (Lane* lane : warp.lanes) {
        if (lane->state == State::ready) resume(*lane);
        if (!fault_.empty()) return;
    }
}

void Block::give_way() {
    lane_->state = State::gave_way;
    ++waiting_;
    yield();
}

/// Under a seed, what other blocks do may come between what a lane does before a fence, or a volatile store,
/// and what it does after it.
void Block::may_give_way() {
    if (grid_->seed != 0 && turns_() % 2 == 0) give_way();
}

}  // namespace simt
