#include "tests/emulation/emulator/block.h"

#include <cuda_runtime.h>

#include <cstring>

// The built-in variables of kernels. `memory` is their dynamic shared memory.
thread_local uint3 threadIdx, blockIdx, blockDim, gridDim;
namespace emulation {
constexpr std::size_t GUARD_BYTES = 256;  // after a block's shared memory: no thread may write them
}
alignas(128) thread_local char memory[emulation::SHARED_BYTES + emulation::GUARD_BYTES];

namespace emulation {

namespace {

thread_local Block* running = nullptr;
constexpr char UNSET = static_cast<char>(0xcd);
constexpr std::size_t STACK_BYTES = 64 * 1024;

}  // namespace

Block::Block(const Extent& extent, unsigned index, unsigned seed, const std::function<void()>& kernel)
    : extent_(extent),
      index_(index),
      random_(seed),
      engine_(extent.threads, memory, extent.shared_bytes),
      warps_(extent.threads / 32),
      lanes_(extent.threads) {
    std::memset(memory, UNSET, extent.shared_bytes + GUARD_BYTES);
    for (unsigned t = 0; t < extent.threads; ++t) start(t, kernel);
}

void Block::start(unsigned thread, const std::function<void()>& kernel) {
    Lane& lane = lanes_[thread];
    lane.fiber = boost::context::fiber(std::allocator_arg, boost::context::fixedsize_stack(STACK_BYTES),
                                       [this, &lane, &kernel](boost::context::fiber&& from) {
                                           boost::context::fiber scheduler = std::move(from);
                                           lane.scheduler = &scheduler;
                                           try {
                                               kernel();
                                           } catch (const Fault& fault) {
                                               fault_ = fault.what();
                                           }
                                           lane.over = true;
                                           return scheduler;
                                       });
}

// --- Scheduling.

void Block::set_indices(unsigned thread) const {
    threadIdx = {thread, 0, 0};
    blockIdx = {index_, 0, 0};
    blockDim = {extent_.threads, 1, 1};
    gridDim = {extent_.blocks, 1, 1};
}

void Block::resume(unsigned thread) {
    Lane& lane = lanes_[thread];
    set_indices(thread);
    running = this;
    lane.fiber = std::move(lane.fiber).resume();
    if (!fault_.empty()) throw Fault(fault_);
    if (!lane.over) return;
    ++ended_;
    note_progress();
}

/// Occasionally suspend a warp or some of its lanes for many rounds, so that others run far ahead.
void Block::freeze(Warp& warp) {
    constexpr unsigned SELDOM = 50, LONGEST = 400;
    if (warp.frozen > 0) {
        --warp.frozen;
    } else if (random_() % SELDOM == 0) {
        warp.frozen = random_() % LONGEST;
        warp.frozen_lanes = random_() % 2 == 0 ? ~0u : static_cast<unsigned>(random_());
    } else {
        warp.frozen_lanes = 0;
    }
}

void Block::run_warp(unsigned warp) {
    const unsigned first = random_() % 32;
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned lane = (first + i) % 32, thread = 32 * warp + lane;
        const bool frozen = (warps_[warp].frozen_lanes >> lane & 1) != 0;
        if (!frozen && !lanes_[thread].over && !lanes_[thread].sleeps()) resume(thread);
    }
}

bool Block::round() {
    for (std::size_t round = 0; round < warps_.size() && ended_ < extent_.threads; ++round) {
        const unsigned warp = random_() % static_cast<unsigned>(warps_.size());
        freeze(warps_[warp]);
        run_warp(warp);
        if (ended_ == extent_.threads) check_end();
        engine_.work(random_);
    }
    if (ended_ == extent_.threads) engine_.work(random_);
    return ended_ == extent_.threads && engine_.is_idle();
}

void Block::check_end() const {
    const std::string left = engine_.left_undone();
    if (!left.empty()) throw Fault("block " + std::to_string(index_) + ": " + left);
    for (std::size_t k = 0; k < GUARD_BYTES; ++k) {
        if (memory[extent_.shared_bytes + k] == UNSET) continue;
        throw Fault("block " + std::to_string(index_) + ": it wrote past its shared memory");
    }
}

// --- Called by lanes.

Block& Block::current() { return *running; }

/// Not inlined: when the lane resumes, its built-in variables must be read again.
__attribute__((noinline)) void Block::yield() {
    boost::context::fiber& scheduler = *lanes_[threadIdx.x].scheduler;
    scheduler = std::move(scheduler).resume();
}

void Block::wait_for_change(const unsigned& counter, const char* what) {
    Lane& lane = lanes_[threadIdx.x];
    const char* const before = lane.waits_for;
    lane.counter = &counter;
    lane.value = counter;
    lane.waits_for = what;
    yield();
    lane.counter = nullptr;
    lane.waits_for = before;
}

const std::uint64_t* Block::sync_warp(std::uint64_t value) {
    Warp& warp = warps_[threadIdx.x / 32];
    std::uint64_t* const values = warp.values[warp.syncs % 2];
    values[threadIdx.x % 32] = value;
    if (++warp.arrived < 32) {
        wait_for_change(warp.syncs, "its warp");
    } else {
        warp.arrived = 0;
        ++warp.syncs;
    }
    return values;
}

void Block::sync_block() {
    if (++arrived_ < extent_.threads) return wait_for_change(syncs_, "its block");
    arrived_ = 0;
    ++syncs_;
    note_progress();
}

std::string Block::place(unsigned thread) const {
    return "block " + std::to_string(index_) + ", thread " + std::to_string(thread);
}

void Block::fail(const std::string& what) const { throw Fault(place(threadIdx.x) + ": " + what); }

std::string Block::who_waits() const {
    unsigned thread = 0;
    while (thread + 1 < extent_.threads && lanes_[thread].over) ++thread;
    return place(thread) + " waits for " + lanes_[thread].waits_for;
}

void yield() { running->yield(); }
void wait_for_change(const unsigned& counter, const char* what) { running->wait_for_change(counter, what); }
const std::uint64_t* sync_warp(std::uint64_t value) { return running->sync_warp(value); }
void sync_block() { running->sync_block(); }
CopyEngine& copy_engine() { return running->engine(); }
void fail(const std::string& what) { running->fail(what); }

void write_late(void* to, const void* word, std::size_t bytes) {
    copy_engine().write_word(threadIdx.x, to, word, bytes);
}

void fence() {
    const unsigned& unwritten = copy_engine().unwritten(threadIdx.x);
    while (unwritten > 0) wait_for_change(unwritten, "what it wrote to be seen");
    yield();
}

}  // namespace emulation
