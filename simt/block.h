// A resident block. Each of its threads is a lane: a fiber that runs from barrier to barrier and then yields
// to the next lane.
//
// A lane may wait for another block by polling global memory. The machine cannot distinguish waiting from
// working, so it applies a rule: a poll has failed if a volatile load or an atomic finds the same value as an
// earlier one at the same instruction and address. The lane then yields. Once every lane has run as far as it
// can and one of them has yielded, the block yields too.
#pragma once
#include <cuda_runtime.h>

#include <atomic>
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simt/copies.h"
#include "simt/memory.h"
#include "simt/order.h"
#include "simt/program.h"
#include "simt/released.h"
#include "simt/requests.h"
#include "simt/shadow.h"
#include "simt/simt.h"
#include "simt/source_counts.h"

namespace simt {

/// The parameters of a launch.
struct Grid {
    const void* kernel;
    dim3 blocks, threads;
    void (*invoke)(const void* call);  ///< runs the kernel as the current lane
    const void* call;                  ///< kernel and arguments
    std::size_t call_bytes;
    std::size_t dynamic_shared_bytes;
    std::vector<bool> allowed;  ///< by index in SharedArrays: may the kernel access this array?
    std::uint64_t seed;         ///< of the schedule; 0 means ascending order
    bool trace;
    bool by_site;               ///< count by instruction, too?
    std::int64_t traced_block;  ///< whose accesses are traced with their sites; -1 for none
    bool strict;                ///< is a missing acquiring fence a fault?
    bool uninitialised_reads_allowed;
    std::uint32_t first_block;  ///< unique over all launches, as are the next block_count() numbers
    bool cooperative;           ///< are all blocks resident?
    mutable std::atomic<std::uint64_t> arrivals{0};  ///< of blocks, at barriers of the grid
    bool parallel;                                   ///< do several CPU threads run blocks?
    ReleasedWords& released;                         ///< of global memory

    unsigned block_count() const { return blocks.x * blocks.y * blocks.z; }
    unsigned thread_count() const { return threads.x * threads.y * threads.z; }
};

/// Counts and traces, summed over some blocks of a launch.
struct Tally {
    std::vector<Counters> steps;
    std::vector<Access> trace;
    std::vector<Word> shared;
    std::vector<std::string> warnings;
    SiteCounters sites;                  // if counted by site
    std::vector<SiteAccess> site_trace;  // of the traced block
};

class Block {
   public:
    Block();
    ~Block();

    /// Start as block number `number` of the grid, which must outlive the block's execution. May be called
    /// again once that block has ended, faulted or been abandoned.
    void begin(const Grid& grid, unsigned number);

    enum class RunResult { ended, faulted, yielded };

    /// Run to the end, to a fault, or until every lane has run and at least one has yielded. Adds the counts
    /// of the completed steps to `tally`.
    RunResult run(Tally& tally);

    /// Description of the fault in one line; empty if there was none. And its kind.
    const std::string& fault() const { return fault_; }
    Hazard hazard() const { return hazard_; }

    /// Has the block changed global memory since the last call?
    bool changed_memory() { return std::exchange(changed_memory_, false); }

    /// The blocks of a CPU thread use the same shared memory: save this block's contents, and restore them.
    void swap_out();
    void swap_in();

    /// Report a fault of the first lane that has yielded, with the address that it polls.
    void report_poll(const std::string& what);

    /// Stop executing a block that has yielded.
    void abandon() { abandon_lanes(); }

    /// The lane that runs now, for a message.
    std::string running() const { return describe(*lane_, "", nullptr); }

    // Called by the hooks, as the current lane.
    template <AccessType type, unsigned size>
    bool access_quickly(std::uintptr_t address, const void* site);  // see quick_access.h
    __attribute__((noinline)) void access(std::uintptr_t address, unsigned size, AccessType type,
                                          const void* site);
    void apply_operator(const void* site);
    /// Returns the number of the block's lanes whose predicate holds.
    unsigned block_barrier(const void* site, bool predicate);
    /// The lanes [first, first + count) of the block, which the current one is among.
    void group_barrier(unsigned first, unsigned count, const void* site);
    void grid_barrier(const void* site);
    /// The lanes of the warp that wait here together, once no other can run.
    std::uint32_t active_mask(const void* site);
    std::uint64_t warp_sync(SimtWarpOp op, std::uint32_t mask, std::uint64_t value, int argument, int width,
                            const void* site);
    void fence(FenceScope scope);
    void begin_atomic(std::uintptr_t address, unsigned size, const void* site);
    void end_atomic(std::uintptr_t address);
    void maybe_yield();
    void yield(const void* site = nullptr);
    [[noreturn]] void fail_assertion(const std::string& condition, const void* site);
    [[noreturn]] void fail_endless(std::size_t requests, std::size_t mebibytes);

    // Asynchronous copies, see copies.h. A barrier is an address of shared memory.
    void init_mbarrier(std::uintptr_t barrier, unsigned arrivals, const void* site);
    void arrive(std::uintptr_t barrier, unsigned bytes, const void* site);
    void wait_for_phase(std::uintptr_t barrier, unsigned parity, const void* site);
    void fence_mbarrier_init() { copies_.fence_mbarrier_init(lane_->number); }
    void fence_proxy_async();
    void bulk_load(std::uintptr_t to, std::uintptr_t from, unsigned bytes, std::uintptr_t barrier,
                   const void* site);
    void bulk_prefetch(std::uintptr_t from, unsigned bytes, const void* site);  ///< only checks
    void bulk_store(std::uintptr_t to, std::uintptr_t from, unsigned bytes, const void* site);
    void commit_bulk_group() { copies_.commit_group(lane_->number); }
    void wait_for_bulk_reads(unsigned groups, const void* site);

    /// The instruction whose hook is running; null if none is.
    const void* current_site() const {
        const auto* const frame = static_cast<const void* const*>(lane_->frame);
        return current != nullptr || frame == nullptr ? nullptr : frame[1];
    }

    /// The frame of the hook that is running: its caller's callers tell calls of one function apart.
    void set_frame(const void* frame) { lane_->frame = frame; }

    /// What the current lane's last strong read has observed, at its next call of the machine: by then the
    /// value has been loaded.
    void observe() {
        if (lane_->observed_size != 0) observe_now();
    }

    /// The block whose lane runs on this CPU thread. Null in host code and in the machine's own code: the
    /// linker may give the machine copies of library templates that were instrumented in a file of kernels.
    static __thread Block* current;

   private:
    enum class State {
        ready,
        at_barrier,
        at_group_barrier,
        at_warp_sync,
        at_active_mask,
        yielded,
        waiting,
        done
    };

    /// What a frame pointer points to.
    struct Frame {
        const Frame* caller;
        std::uintptr_t return_address;
    };
    // 64 KiB plus 9 cache lines: with a power of two, the tops of all stacks would map to one cache set.
    static constexpr std::size_t STACK_BYTES = 64 * 1024 + 9 * 64;

    /// A volatile load or an atomic, and the value it found.
    struct Poll {
        const void* site;
        std::uintptr_t address;
        std::uint64_t value;
        bool operator==(const Poll& other) const {
            return site == other.site && address == other.address && value == other.value;
        }
    };
    static constexpr unsigned POLL_HISTORY = 8;           // a loop may poll several words
    static constexpr unsigned POLLS_BEFORE_YIELD = 4096;  // after so many a lane yields even if none failed

    struct alignas(64) Lane {  // first, in one line of a CPU's cache, what every barrier and access needs
        boost::context::fiber fiber;
        State state = State::ready;
        unsigned number = 0;  // in the block
        uint3 index{};
        unsigned observed_size = 0;           // and address, of its last strong read
        const void* site = nullptr;           // where it waits
        const void* frame = nullptr;          // of the hook that it is in
        const void* kernel_caller = nullptr;  // the frame of the function that base_frame's calls
        std::uintptr_t stack_begin = 0;

        std::uintptr_t stack_end = 0;
        const void* base_frame = nullptr;  // of the fiber's function
        std::uintptr_t observed = 0;
        SimtWarpOp op{};  // the warp sync where it waits: operation, mask, operands
        std::uint32_t mask = 0;
        std::uint64_t value = 0;  // also: a group barrier's range of lanes
        int argument = 0, width = 32;
        const std::uint32_t* counter = nullptr;  // it waits until this differs from `counted`
        std::uint32_t counted = 0;
        unsigned polls = 0, polls_recorded = 0;  // since the block started
        Poll poll_history[POLL_HISTORY], last_poll;
    };
    struct Warp {
        WarpLog log;
        std::vector<Lane*> lanes;  // in scheduling order
        bool syncs = false;        // may a lane wait for others of the warp?
    };

    void make_lanes(unsigned count);
    void set_indices() const;
    bool run_step();
    void run_warp(Warp& warp);
    void resume(Lane& lane, boost::context::fiber& leaving);
    void switch_away();
    bool release_warp_syncs(unsigned warp);
    bool release_active_mask(unsigned warp);
    bool release_group_barriers();
    void complete_warp_sync(unsigned warp, std::uint32_t present);
    std::uint64_t result_of(SimtWarpOp op, const Lane& lane, unsigned warp, std::uint32_t present);
    void end_step(Tally& tally);
    bool lanes_converged();
    void add_trace(Tally& tally, unsigned warp) const;
    void add_shared(Tally& tally) const;
    void add_site_trace(Tally& tally, unsigned warp) const;
    [[noreturn]] void fault(Hazard hazard, const std::string& what, const void* site);
    void report(const Lane& lane, Hazard hazard, const std::string& what, const void* site);
    std::string describe(const Lane& lane, const std::string& what, const void* site) const;
    void abandon_lanes();
    void wait_for(const std::uint32_t& counter, const void* site);

    bool is_shared(std::uintptr_t address) const { return address - shared_base_ < arrays_.segment_bytes(); }
    const void* identity(const void* site) const;
    bool in_kernel() const;
    void shared_access(std::uintptr_t address, unsigned size, AccessType type, const void* site);
    void global_access(std::uintptr_t address, unsigned size, AccessType type, const void* site);
    void check_array(std::uintptr_t address, std::size_t size, const void* site);
    std::string place(std::uintptr_t address);
    void check_order(Shadow& shadow, std::uintptr_t address, unsigned size, PastAccess now,
                     const void* site) {
        const Shadow::Conflict conflict =
            shadow.access(address, size, now, order_, lane_->number, grid_->parallel && !is_shared(address));
        if (conflict) report_conflict(shadow, address, size, now, conflict, site);
    }
    void report_conflict(Shadow& shadow, std::uintptr_t address, unsigned size, PastAccess now,
                         Shadow::Conflict conflict, const void* site);
    template <class Describe>
    void warn(const void* site, Describe what);
    void uninitialised_read(const std::string& what, const void* site);
    PastAccess past(AccessType type, unsigned size, const void* site) const {
        PastAccess now = order_.access(lane_->number);
        now.site = program_.offset(site);
        now.kind = std::uint8_t((is_read(type) ? 0 : PastAccess::WRITE) |
                                (is_strong(type) ? PastAccess::STRONG + size * PastAccess::SIZE : 0));
        return now;
    }
    [[noreturn]] void fault_of_race(const Shadow::Conflict& conflict, std::uintptr_t address, bool writes,
                                    const void* site);
    std::string race_text(const Shadow::Conflict& conflict, std::uintptr_t address, bool writes);
    bool poll(std::uintptr_t address, unsigned size, const void* site);
    void observe_now();
    bool shared_written(std::uintptr_t offset, unsigned size) const;
    void mark_shared(std::uintptr_t offset, std::size_t size);
    Buffer* buffer_at(std::uintptr_t address, std::size_t size);
    ReleasedWords& released_at(std::uintptr_t address) {
        return is_shared(address) ? shared_released_ : grid_->released;
    }
    Buffer& check_global(const std::string& what, std::uintptr_t global, unsigned bytes, const void* site);
    void check_copy(const char* what, std::uintptr_t shared, std::uintptr_t global, unsigned bytes,
                    bool to_shared, const void* site);
    template <class Visit>
    void for_each_array(Visit visit);

    Lane& lane_of(unsigned warp, unsigned lane) { return *lanes_[warp * 32 + lane]; }

    const SharedArrays& arrays_ = SharedArrays::of_program();
    const ProgramMemory& program_ = ProgramMemory::get();
    const std::uintptr_t shared_base_ = SharedArrays::segment();
    BlockOrder order_;
    Shadow shared_shadow_{shared_base_, arrays_.segment_bytes(), true};
    ReleasedWords shared_released_;
    Copies copies_;
    std::vector<std::uint64_t> written_;  // by word: serial of the block that wrote it << 4 | mask of bytes
    std::uint64_t block_serial_ = 0;

    const Grid* grid_ = nullptr;
    std::uint32_t launch_ = 0;  // the number of its first block
    unsigned block_ = 0;
    uint3 block_index_{};
    int step_ = 0;
    std::string fault_;
    Hazard hazard_ = Hazard::race;
    std::vector<std::string> warnings_;
    std::set<const void*> warned_;  // sites of warnings in this launch: one for each
    std::mt19937_64 random_;
    unsigned yielded_ = 0;             // number of lanes that have yielded or wait for copies
    bool groups_ = false;              // may a lane wait at a group's barrier?
    unsigned ended_ = 0;               // number of lanes that have ended
    unsigned arrived_ = 0;             // number of lanes at the barrier of the first that arrived
    const void* barrier_ = nullptr;    // its site
    unsigned holding_ = 0, held_ = 0;  // the predicates that hold there, and did at the last barrier
    Lane *const *next_ = nullptr, *const *last_ = nullptr;  // of a warp's lanes, those that are yet to run
    bool changed_memory_ = false;
    std::vector<char> swapped_out_;

    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<Warp> warps_;
    std::vector<unsigned> warp_order_;
    unsigned lanes_used_ = 0;
    std::uintptr_t array_begin_ = 0, array_end_ = 0;  // of the last array accessed, in the segment
    Lane* lane_ = nullptr;
    boost::context::fiber scheduler_;
    boost::context::fiber* left_ = nullptr;  // what ran before a switch: where its fiber is to be kept
    Buffer* recent_[2] = {};
    char* stacks_ = nullptr;
};

}  // namespace simt
