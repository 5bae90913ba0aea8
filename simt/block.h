// A block in flight. Each of its threads is a lane: a fiber that runs from barrier to barrier and then lets
// the next one run.
//
// A lane may wait for another block, by looking at global memory again and again. It cannot be told from one
// that works, so a rule decides: a lane polls if its volatile load, or its atomic, finds at the same address
// and in the same line of code what it found before. It then gives way, and so does its block once every lane
// has had its turn.
#pragma once
#include <cuda_runtime.h>

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "simt/hazards.h"
#include "simt/memory.h"
#include "simt/program.h"
#include "simt/requests.h"
#include "simt/simt.h"

namespace simt {

/// A launch, as its blocks see it.
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

/// What some blocks of one launch added up to.
struct Tally {
    std::vector<Counters> steps;
    std::vector<Access> trace;
    std::vector<Word> shared;
};

class Block {
   public:
    Block();
    ~Block();

    /// Become block number `number` of the grid. Both may be given anew once the block has ended.
    void begin(const Grid& grid, unsigned number);

    enum class Turn { ended, faulted, waits };

    /// Run on to the end, or to a fault, or until every lane has had its turn and one or more poll. Adds the
    /// counts of the steps that are over.
    Turn run(Tally& tally);

    /// What went wrong, in one line.
    const std::string& fault() const { return fault_; }

    /// Has it changed global memory since it was last asked?
    bool changed_memory() { return std::exchange(changed_memory_, false); }

    /// Shared memory is one for all blocks of a CPU thread: take this block's out of it, and put it back.
    void swap_out();
    void swap_in();

    /// Name the lane that polls, as a fault.
    void report_poll(const std::string& what);

    /// Leave a block that waits as it is.
    void give_up() { abandon_lanes(); }

    // What the hooks call, as the current lane.
    void access(std::uintptr_t address, unsigned size, Touch touch, const void* site);
    void apply_operator(const void* site);
    void block_barrier(const void* site);
    std::uint64_t meet(SimtWarpOp op, std::uint32_t mask, std::uint64_t value, int argument, int width);
    void may_give_way();
    void give_way();

    /// The block whose lane runs on this CPU thread; null on the host, and while the machine itself is at
    /// work: it may be linked with copies of library templates that were instrumented in a file of kernels.
    static __thread Block* current;

   private:
    enum class State { ready, at_barrier, meeting, gave_way, done };

    /// What a volatile load or an atomic found.
    struct Look {
        const void* site;
        std::uintptr_t address;
        std::uint64_t value;
        bool operator==(const Look& other) const {
            return site == other.site && address == other.address && value == other.value;
        }
    };
    static constexpr unsigned LOOKS_KEPT = 8;        // a poll may look at several words in turn
    static constexpr unsigned LOOKS_AT_MOST = 4096;  // before a lane gives way whatever it finds

    struct Lane {
        State state = State::ready;
        unsigned number = 0;  // in the block
        uint3 index{};
        const void* barrier = nullptr;  // where it waits
        SimtWarpOp op{};                // what it meets for
        std::uint32_t mask = 0;
        std::uint64_t value = 0;
        int argument = 0, width = 32;
        unsigned looks = 0, looks_kept = 0;  // since the block began
        Look kept[LOOKS_KEPT], last;
        std::uintptr_t stack_begin = 0, stack_end = 0;
        boost::context::fiber fiber;
    };
    struct Warp {
        WarpLog log;
        WarpOrder order;
        std::vector<Lane*> lanes;  // in order of turn
    };

    void make_lanes(unsigned count);
    void set_indices() const;
    bool run_step();
    void run_warp(Warp& warp);
    void resume(Lane& lane);
    void yield();
    bool release_meetings(unsigned warp);
    void finish_meeting(unsigned warp, std::uint32_t present);
    std::uint64_t result_of(SimtWarpOp op, const Lane& lane, unsigned warp, std::uint32_t present);
    void end_step(Tally& tally);
    bool all_lanes_agree();
    void add_trace(Tally& tally, unsigned warp) const;
    void add_shared(Tally& tally) const;
    [[noreturn]] void fault(const std::string& what, const void* site);
    void report(const Lane& lane, const std::string& what, const void* site);
    void abandon_lanes();

    void shared_access(std::uintptr_t offset, std::uintptr_t address, unsigned size, Touch touch,
                       const void* site);
    bool look(std::uintptr_t address, unsigned size, const void* site);
    void global_access(std::uintptr_t address, unsigned size, Touch touch, const void* site);
    bool shared_written(std::uintptr_t offset, unsigned size) const;
    static bool global_written(const unsigned char* written, unsigned size);
    void mark_shared(std::uintptr_t offset, unsigned size);
    Buffer* buffer_at(std::uintptr_t address, unsigned size);
    template <class Visit>
    void for_each_array(Visit visit);

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
    unsigned waiting_ = 0;  // lanes that gave way
    bool changed_memory_ = false;
    std::vector<char> swapped_out_;

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
