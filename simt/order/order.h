// What happens before what, as the PTX memory model has it: what each thread of a block knows to have
// happened.
//
// Threads learn from one another at barriers, at warp syncs, at mbarriers, and by a release pattern that an
// acquire pattern observes:
//
//     releasing thread      x = 1;    fence;    flag = 1 (strong)
//     acquiring thread                          flag (strong)    fence;    x
//
// A strong access is volatile, relaxed or atomic, of a scope that must include the other thread; so must the
// fence's. The lanes of a warp do not run in lockstep, whatever the machine happens to do.
//
// Source: NVIDIA, PTX ISA, "Memory consistency model"; Lustig, Sahasrabuddhe and Giroux, "A formal analysis
// of the NVIDIA PTX memory consistency model", ASPLOS 2019.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "simt/decode/instruction.h"
#include "simt/order/vector_clock.h"

namespace sass {

constexpr int SCOPES = 3;  ///< block, cluster, device

/// What a thread knows to have happened.
struct Knowledge {
    SharedClock known;    ///< happened before
    SharedClock proxied;  ///< the part of it that a proxy fence made visible to asynchronous copies
    SharedClock likely;   ///< would have happened before if strong reads acquired without a fence
    // By scope. A fence.sc that happened before a strong write precedes, in the Fence-SC order, any that the
    // write's observation happened before: else the write would happen after what observes it (PTX 8.9.4,
    // 8.10.4). So what happened before the one happens before what follows the other (PTX 8.9.5).
    SharedClock fenced[SCOPES];    ///< happened before such fences that happened before
    SharedClock observed[SCOPES];  ///< such fences happened before what strong reads, which happened before,
                                   ///< observed

    bool empty() const {
        for (int scope = 0; scope < SCOPES; ++scope)
            if (fenced[scope] != nullptr || observed[scope] != nullptr) return false;
        return known == nullptr && proxied == nullptr && likely == nullptr;
    }
    void learn(const Knowledge& other) {
        known = merge(known, other.known);
        proxied = merge(proxied, other.proxied);
        likely = merge(likely, other.likely);
        for (int scope = 0; scope < SCOPES; ++scope) {
            if (other.fenced[scope]) fenced[scope] = merge(fenced[scope], other.fenced[scope]);
            if (other.observed[scope]) observed[scope] = merge(observed[scope], other.observed[scope]);
        }
    }
};

/// What strong writes left at an address for the strong reads that observe them: by the scope of the writer's
/// last fence. What reaches only its own block or cluster is kept for each.
struct Released {
    using ByNumber = std::vector<std::pair<std::uint32_t, Knowledge>>;
    Knowledge to_device;
    ByNumber to_block, to_cluster;

    static Knowledge& of(std::uint32_t number, ByNumber& all);
    static const Knowledge* find(std::uint32_t number, const ByNumber& all);
};

/// Who has observed all atomics on an address: the last one that took part in them, and strong reads since.
/// What of the kind it has observed precedes, in causality order, what its observation happens before (PTX
/// 8.9.5, the second rule): these writes alone, and not what came before them.
struct Observers {
    struct Observer {
        std::uint32_t block, time;
        Unit thread;
    };
    std::vector<Observer> all;
};

/// Accesses by one instruction of a warp at one time of its block, or by an agent of copies.
struct Event {
    std::uint32_t block = 0;    ///< unique over all launches
    std::uint32_t cluster = 0;  ///< its block of rank 0
    std::uint32_t time = 0;     ///< of the block
    std::uint32_t site = 0;     ///< index of the instruction in the kernel's code
    Unit unit = 0;              ///< a warp, or an agent
    bool is_write = false;
    Scope scope = Scope::none;  ///< of a strong access
    std::uint8_t bytes = 0;     ///< a lane; 0: a strong access whose parts are not known
    bool is_volatile = false;   ///< strong for PTX, not for C++
    bool is_of_system = false;  ///< strong for the host, too
    /// Volatile, of shared memory, without a fence before it. Lanes that pass values in this way expect to
    /// run in lockstep, which no GPU since Volta guarantees: among the lanes of a warp it is not strong.
    bool in_lockstep = false;

    bool is_strong() const { return scope != Scope::none; }
    bool is_agent() const { return unit >= AGENTS; }
    bool is_of_proxy() const { return unit >= AGENTS && unit < COPIES; }
};

/// The lanes of one warp since the block's last barrier: which of their accesses each lane knows.
class WarpOrder {
   public:
    /// After the block's barrier all lanes know all accesses before `time`.
    void reset(std::uint32_t time) {
        all_ = time;
        parted_ = false;
    }
    /// The lanes synchronise at `time`. whole: are these all lanes of the warp?
    void sync(std::uint32_t lanes, bool whole, std::uint32_t time);
    /// The time before which `lane` knows the accesses of `other`.
    std::uint32_t known(unsigned lane, unsigned other) const {
        return parted_ ? known_[lane * 32 + other] : all_;
    }
    /// The same for all pairs, if all lanes know the same; else 0.
    std::uint32_t all() const { return parted_ ? 0 : all_; }

   private:
    std::uint32_t all_ = 0;
    bool parted_ = false;
    std::vector<std::uint32_t> known_;  // by lane, of each lane; valid if parted_
};

/// How the past stands to a thread's access now.
enum class Precedence : std::uint8_t {
    happened,  ///< happened before
    likely,    ///< a strong read has observed it, but no fence has acquired it
    concurrent
};

/// Blocks of a launch: [first, end).
struct Blocks {
    std::uint32_t first, end;
    bool contains(std::uint32_t block) const { return block >= first && block < end; }
    /// Adds them to a list.
    static void add(std::vector<Blocks>& list, Blocks blocks) {
        if (!list.empty() && list.back().end == blocks.first)
            list.back().end = blocks.end;
        else
            list.push_back(blocks);
    }
};

/// What happens before a launch from a kernel, beside what happens before the kernel itself: what the thread
/// knew that has launched it, and whole launches.
struct Origin {
    Knowledge known;
    std::vector<Blocks> over;
    bool contains(const Blocks& blocks) const {
        for (const Blocks& each : over)
            if (each.contains(blocks.first)) return true;
        return false;
    }
};

class BlockOrder {
   public:
    /// A block starts: `block` is unique over all launches; those of its own launch are `first_block` and
    /// later, and not all of earlier ones need happen before it.
    void begin(std::uint32_t block, unsigned threads, std::uint32_t first_block,
               const std::vector<Blocks>& concurrent);

    /// It is one of the blocks of a cluster, which is named by that of rank 0.
    void join(std::uint32_t cluster) {
        cluster_ = cluster;
        is_in_cluster_ = true;
    }

    std::uint32_t block() const { return block_; }
    std::uint32_t cluster() const { return cluster_; }
    std::uint32_t time() const { return time_; }
    void advance() { ++time_; }

    // Synchronising operations. Threads are numbers in the block.
    void barrier();
    /// A barrier of some: all learn what each of them knew, and what others had known who only arrived.
    void barrier_of(const std::vector<unsigned>& threads, Knowledge all);
    void warp_sync(unsigned warp, std::uint32_t lanes);
    /// Sequentially consistent: fence.sc; else fence.acq_rel.
    void fence(unsigned thread, Scope scope, bool is_consistent);
    /// A fence that only acquires.
    void acquire(unsigned thread, Scope scope);
    void proxy_fence(unsigned thread);
    /// What a strong write of the thread, or an atomic, leaves where `released` was.
    void strong_write(unsigned thread, Released& released) const;
    void strong_update(unsigned thread, Released& released) const;
    void strong_read(unsigned thread, const Released& released);
    /// An atomic, or a strong read, of the thread.
    void observe(unsigned thread, Observers& observers, bool is_update) const;
    /// Has the thread observed all, or does it know of one who has?
    bool has_observed(unsigned thread, const Observers& observers) const;
    bool has_released(unsigned thread) const {
        const Thread& at = of(thread);
        return !(at.released[0].empty() && at.now.fenced[0] == nullptr);
    }
    /// Everything that the thread knows now, its own accesses included; and the converse.
    Knowledge knowledge(unsigned thread);
    /// What its last fence that reaches so far makes known by a relaxed operation that follows.
    const Knowledge& released(unsigned thread, Scope scope) const;
    /// Does the thread know anything of the block, that it has begun?
    bool knows_of(unsigned thread, std::uint32_t block) const;
    /// Does any thread of the block know of these lanes' accesses?
    bool any_knows(const Event& past, std::uint32_t past_lanes) const;
    void learn(unsigned thread, const Knowledge& knowledge);

    /// How accesses of `past_lanes` (0 for an agent's) stand to one of the warp's `lanes` now.
    Precedence precedence(const Event& past, std::uint32_t past_lanes, unsigned warp,
                          std::uint32_t lanes) const {
        return happened(past, past_lanes, warp, lanes) ? Precedence::happened
                                                       : search(past, past_lanes, warp, lanes);
    }
    /// Whether they happened before by barriers, whole warps, or the order of the program: no search.
    bool happened(const Event& past, std::uint32_t past_lanes, unsigned warp, std::uint32_t lanes) const {
        if (past.block != block_) return past.block < first_block_ && !is_concurrent(past.block);
        if (past.is_agent()) return false;
        return past.time < base_ ||
               (past.unit == unit_of_warp(warp) &&
                ((past_lanes == lanes && (lanes & (lanes - 1)) == 0) || past.time < warps_[warp].all()));
    }
    /// Whether a proxy fence lies between the accesses and an asynchronous copy that the thread issues now.
    bool visible_to_copies(const Event& past, std::uint32_t past_lanes, unsigned thread) const;

   private:
    struct Thread {
        Knowledge now;               // beyond the block's last barrier and the warp's syncs
        Knowledge released[SCOPES];  // by scope: as of the last fence
        Knowledge acquired[SCOPES];  // by scope: read, but no fence since
    };
    const Thread& of(unsigned thread) const {
        static const Thread none;
        return knows_more_ ? threads_[thread] : none;
    }
    /// A thread learns something.
    Thread& learner(unsigned thread) {
        if (!knows_more_) threads_.resize(used_);
        knows_more_ = true;
        return threads_[thread];
    }
    /// A cluster of one block is the block: its scope needs no knowledge of its own.
    bool matters(int scope) const { return scope != 1 || is_in_cluster_; }
    bool is_concurrent(std::uint32_t block) const {
        for (const Blocks& blocks : *concurrent_)
            if (blocks.contains(block)) return true;
        return false;
    }
    Precedence search(const Event& past, std::uint32_t past_lanes, unsigned warp, std::uint32_t lanes) const;
    bool contains(const SharedClock& clock, const Event& past, std::uint32_t past_lanes, unsigned thread,
                  bool warp_counts) const;
    SharedClock own_clock(unsigned thread);
    Knowledge left_by(const Thread& thread, int scope) const;

    std::uint32_t block_ = 0, cluster_ = 0, first_block_ = 0;
    const std::vector<Blocks>* concurrent_ = nullptr;
    std::uint32_t time_ = 1;
    std::uint32_t base_ = 1;      // of the last barrier of all
    bool is_in_cluster_ = false;  // with others
    bool knows_more_ = false;     // has any thread learnt anything but by barriers of all and warp syncs?
    unsigned used_ = 0;
    std::vector<Thread> threads_;  // empty if not: most blocks need none
    std::vector<WarpOrder> warps_;
};

}  // namespace sass
