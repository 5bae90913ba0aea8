// A worker runs blocks, one after another, on one CPU thread. Each thread of a block is a lane: a fiber that
// runs from barrier to barrier and then lets the next one run.
#pragma once
#include <cuda_runtime.h>

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "simt/hazards.h"
#include "simt/memory.h"
#include "simt/program.h"
#include "simt/requests.h"
#include "simt/simt.h"

namespace simt {

/// A launch, as the workers see it.
struct Grid {
    const void* kernel;
    dim3 blocks, threads;
    void (*invoke)(const void* call);  ///< run the kernel as the current lane
    const void* call;                  ///< kernel and arguments
    std::size_t call_bytes;
    std::size_t dynamic_shared_bytes;
    std::vector<bool> allowed;  ///< the shared arrays that the kernel may touch
    std::uint64_t seed;         ///< order of turns; 0 is ascending
    bool trace;

    unsigned block_count() const { return blocks.x * blocks.y * blocks.z; }
    unsigned thread_count() const { return threads.x * threads.y * threads.z; }
};

/// What a worker's blocks of one launch added up to.
struct Tally {
    std::vector<Counters> steps;
    std::vector<Access> trace;
};

class Worker {
   public:
    Worker();
    ~Worker();

    /// Run block number `block` of the grid and add its counts. Returns what went wrong, in one line, or "".
    std::string run(const Grid& grid, unsigned block, Tally& tally);

    // What the hooks call, as the current lane.
    void access(std::uintptr_t address, unsigned size, Touch touch, const void* site);
    void apply_operator(const void* site);
    void block_barrier(const void* site);
    std::uint64_t meet(SimtWarpOp op, std::uint32_t mask, std::uint64_t value, int argument, int width);

    /// The worker whose lane runs on this CPU thread; null on the host, and while the machine itself is at
    /// work: it may be linked with copies of library templates that were instrumented in a file of kernels.
    static __thread Worker* current;

   private:
    enum class State { ready, at_barrier, meeting, done };

    struct Lane {
        State state = State::ready;
        unsigned number = 0;  // in the block
        uint3 index{};
        const void* barrier = nullptr;  // where it waits
        SimtWarpOp op{};                // what it meets for
        std::uint32_t mask = 0;
        std::uint64_t value = 0;
        int argument = 0, width = 32;
        std::uintptr_t stack_begin = 0, stack_end = 0;
        boost::context::fiber fiber;
    };
    struct Warp {
        WarpLog log;
        WarpOrder order;
        std::vector<Lane*> lanes;  // in order of turn
    };

    void prepare(const Grid& grid, unsigned block);
    void make_lanes(unsigned count);
    void run_step();
    void run_warp(Warp& warp);
    void resume(Lane& lane);
    void yield();
    bool release_meetings(unsigned warp);
    void finish_meeting(unsigned warp, std::uint32_t present);
    std::uint64_t result_of(SimtWarpOp op, const Lane& lane, unsigned warp, std::uint32_t present);
    void end_step(Tally& tally);
    bool all_lanes_agree();
    void add_trace(Tally& tally, unsigned warp) const;
    [[noreturn]] void fault(const std::string& what, const void* site);
    void report(const Lane& lane, const std::string& what, const void* site);
    void abandon_lanes();

    void shared_access(std::uintptr_t offset, std::uintptr_t address, unsigned size, Touch touch,
                       const void* site);
    void global_access(std::uintptr_t address, unsigned size, Touch touch, const void* site);
    bool shared_written(std::uintptr_t offset, unsigned size) const;
    void mark_shared(std::uintptr_t offset, unsigned size);
    Buffer* buffer_at(std::uintptr_t address, unsigned size);

    Lane& lane_of(unsigned warp, unsigned lane) { return *lanes_[warp * 32 + lane]; }

    const SharedArrays& arrays_ = SharedArrays::of_program();
    const std::uintptr_t shared_base_ = SharedArrays::segment();
    Hazards hazards_{shared_base_, arrays_.segment_bytes()};
    std::vector<std::uint64_t> written_;  // a word each: number of the block that wrote it << 4 | bytes
    std::uint64_t block_serial_ = 0;

    const Grid* grid_ = nullptr;
    unsigned block_ = 0;
    uint3 block_index_{};
    int step_ = 0;
    std::string fault_;
    std::mt19937_64 turns_;

    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<Warp> warps_;
    std::vector<unsigned> warp_order_;
    unsigned lanes_used_ = 0;
    Lane* lane_ = nullptr;
    boost::context::fiber scheduler_;
    Buffer* recent_[2] = {};
    char* stacks_ = nullptr;
};

}  // namespace simt
