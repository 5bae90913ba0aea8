// The checks of a launch for hazards: what its instructions tell the order of events, and what that finds.
//
// The machine calls these functions as it executes: an access before it takes effect, whatever synchronises
// when it does. Checks change neither values nor counts. Blocks of a launch run on one core then.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simt/order/device.h"
#include "simt/order/shared_bounds.h"

namespace sass {

/// What an instruction does with memory.
enum class Use : std::uint8_t { read, write, update, exchange, compare };

constexpr const char *OUTSIDE_OF_MASK = "divergent warp: the mask does not name the lane itself",
                     *MASK_OF_ALL =
                         "let every lane that comes here be in the mask, and call it with the same mask: "
                         "__ballot_sync before the branch says who comes";

class Checks {
   public:
    explicit Checks(const Kernel& kernel);
    /// All so far. Of races with plain reads it may turn out later that they are first_read.
    std::vector<Finding> findings() const;

    void begin_block(const Block& block);
    Blocks blocks() const {
        return {first_block_, first_block_ + std::uint32_t(kernel_.launch.grid.count())};
    }

    // Memory. `stored`: the row of a store's first word; null for others.
    /// Of a block's shared memory.
    void shared(Warp& w, const Instruction& i, const Block& at, const std::uint32_t* addresses,
                std::uint32_t lanes, unsigned bytes, Use use, const std::uint32_t* stored);
    void global(Warp& w, const Instruction& i, const std::uint64_t* addresses, std::uint32_t lanes,
                unsigned bytes, Use use, const std::uint32_t* stored);
    /// A texture or surface unit reads `bytes` at each of these addresses.
    void fetched(Warp& w, const std::uint64_t* addresses, std::uint32_t lanes, unsigned bytes);
    // Of local memory, whose order nobody else sees, what has been written.
    void local_load(Warp& w, const Instruction& i, const std::uint32_t* addresses, std::uint32_t lanes);
    void local_store(Warp& w, const Instruction& i, const std::uint32_t* addresses, std::uint32_t lanes);

    // Bits that nobody has set: see undefined.h.
    void follow(Warp& w, const Instruction& i);  ///< before it is executed, if the warp has any
    // Words of uniform registers: see uniform.h.
    void read_uniform(Warp& w, const Instruction& i);  ///< the same, if lanes have their own
    /// Executes one that writes a uniform register, if lanes are elsewhere, or have been.
    void run_uniform(Warp& w, const Instruction& i, std::uint32_t lanes);
    /// By lane, whose value it gets; `absent`: those that read from a lane that does not take part.
    void shuffled(Warp& w, const Instruction& i, std::uint32_t lanes, const int* source,
                  std::uint32_t absent);
    /// From registers that have rows of matrices to those that have their fragments, and back: LDSM, STSM.
    void matrices_loaded(Warp& w, const Instruction& i, std::uint16_t rows);
    void matrices_to_store(Warp& w, const Instruction& i, std::uint16_t rows);

    // Synchronising operations of lanes that are at work.
    void barrier(const Block& block, unsigned number,
                 const std::vector<std::pair<const Warp*, const Group*>>& waiting, bool is_of_all);
    /// The lanes do not wait there: they pass on what they know, and learn nothing.
    void arrive(const Warp& w, std::uint32_t lanes, unsigned number);
    void warp_sync(const Warp& w, std::uint32_t lanes);
    void fence(const Warp& w, std::uint32_t lanes, Scope scope, bool is_consistent);
    void acquire(const Warp& w, std::uint32_t lanes, Scope scope);
    void proxy_fence(const Warp& w, std::uint32_t lanes);

    // Clusters: clusters.cpp.
    void begin_cluster(const Cluster& cluster);
    /// A block has ended, and others of its cluster have not.
    void end_of_block(const Block& block);
    /// The lanes access another block's shared memory, or (not 0) an agent that a lane has issued.
    void reach(const Warp& w, const Block& block, std::uint32_t lanes, Unit agent = 0);
    void arrive_at_cluster(const Warp& w, const Instruction& i, std::uint32_t lanes);
    void complete_cluster_barrier(const Cluster& cluster);
    void leave_cluster_barrier(const Warp& w, std::uint32_t lanes);

    // Asynchronous copies. A lane issues one: its agent reads and writes. Threads learn of it from what they
    // wait for.
    struct Range {
        bool is_shared = false;
        std::uint64_t address = 0;
        unsigned bytes = 0;
        const Block* block = nullptr;  ///< whose shared memory; null: that of the block that issues it
    };
    /// Returns the time by which the agent has done it.
    std::uint32_t copy(Warp& w, int lane, Unit reader, const Range& from, Unit writer, const Range& to);
    /// What a thread knows that has seen the agent's work before that time.
    Knowledge done(const Warp& w, Unit agent, std::uint32_t time);
    /// Who observes an atomic, or a strong write, at this address of shared memory learns this.
    void release(const Warp& w, std::uint32_t address, const Knowledge& knowledge);
    Knowledge knowledge(const Warp& w, int lane);
    void learn(const Warp& w, int lane, const Knowledge& knowledge);

    /// A finding at the instruction that the warp executes.
    void add(Hazard hazard, const Warp& w, int lane, const std::string& what, const std::string& cure);
    /// At another instruction; of a race, also what tells the other access.
    void add(Hazard hazard, const Warp& w, int lane, std::uint32_t site, const std::string& what,
             std::uint32_t past_block = 0, std::uint32_t past_site = 0, const std::string& other = {},
             const std::string& cure = {});

   private:
    /// Of a lane, or of an agent, in the first place: the time of its last access, 0 for none.
    struct Visit {
        std::uint32_t times[LANES] = {};
    };
    struct ClusterBarrier {
        Knowledge arriving, completed;
        /// Those that have arrived and wait since, of whom it is looked up at the end.
        std::vector<std::pair<const Warp*, std::uint32_t>> waiting;
        bool all_wait = true;
    };
    /// Of kernels with an atomicCAS: the plain reads of each thread that none of its own has checked yet, and
    /// by instruction how often one did. A thread that reads the word again before has not waited for it.
    struct FirstRead {
        std::uint64_t address;
        std::uint32_t site;
    };
    struct Checked {
        bool ever = false, read_again = false;
    };
    static constexpr std::uint8_t ALL_WORDS = 0xff;
    /// Bytes that lanes access: all at one address, or elements in a row. Or a copy's.
    struct Chunk {
        Chunk(bool is_shared, unsigned element, std::uint8_t used = ALL_WORDS)
            : is_shared(is_shared), used(used), element(element), length(element) {}
        int lane = 0;  ///< the first, or the one that issued the copy
        std::uint32_t lanes = 0;
        bool is_row = false, is_shared;
        std::uint32_t at_work = 0;           ///< all lanes of the request, and their addresses
        const void* addresses = nullptr;     ///< as wide as those of the memory
        std::uint8_t used;                   ///< of an element: those that matter
        unsigned element, length;            ///< bytes
        std::uint64_t base = 0, offset = 0;  ///< of the memory, and in it
        Cell* cells = nullptr;
        Written* written = nullptr;
        const Block* block = nullptr;  ///< of shared memory: whose; null: of the block itself
    };
    /// Where a warp executes an access, of which a fault is told for this lane.
    struct At {
        std::uint32_t pc, site;
        int lane;
        explicit At(const Warp& w) : pc(w.pc), lane(__builtin_ctz(w.active)) { site = w.site(lane); }
    };
    /// A plain read of shared memory that nobody has written since the block's barrier. It matters if
    /// somebody does before the next one: the shadow gets it then, and it is forgotten at the barrier else.
    struct PlainRead {
        const Warp* warp;
        At at;
        std::uint32_t lanes, addresses[LANES];
        std::uint8_t element, used;
        PlainRead(const Warp& w, std::uint32_t lanes, unsigned bytes, std::uint8_t used,
                  const std::uint32_t* from)
            : warp(&w), at(w), lanes(lanes), element(std::uint8_t(bytes)), used(used) {
            std::copy_n(from, LANES, addresses);
        }
    };
    struct OfBlock {
        const Block* block = nullptr;
        BlockOrder order;
        Shadow shadow;
        std::vector<Cell> cells;
        std::unique_ptr<Written> written;
        std::vector<PlainRead> reads;  ///< in their order
        bool is_only_read = true;      ///< since the block's barrier, which orders all before it
        bool has_copies = false;       ///< which no barrier orders
        std::unordered_map<std::uint64_t, Released> released;
        std::unordered_map<std::uint64_t, Observers> observers;
        std::vector<std::vector<std::uint32_t>> events[2];  ///< by warp and instruction: the last one, if it
                                                            ///< is of this block
        std::vector<std::vector<FirstRead>> first_reads;    ///< by thread
        std::map<unsigned, Knowledge> arrived;              ///< by barrier: of threads that do not wait there
        /// Accesses of other blocks of the cluster, by block, unit and instruction.
        std::map<std::tuple<std::uint32_t, Unit, std::uint32_t>, Visit> visits;
        ClusterBarrier barrier;  ///< of the block of rank 0: its cluster's
    };
    int not_waited_for(const BlockOrder& order, std::uint32_t block, Unit unit, const Visit& visit) const;
    void compare_with_ended(const Block& block,
                            const std::vector<std::pair<const Warp*, const Group*>>& waiting);
    OfBlock& of(const Block& block) { return recent_ == &block ? *recent_of_ : looked_up(block); }
    OfBlock& looked_up(const Block& block);
    template <class Address, class Each>
    bool by_chunks(Chunk chunk, const Address* addresses, std::uint32_t lanes, OfBlock& memory,
                   Each each) const;
    void remember_reads(OfBlock& memory);
    BlockOrder& order_to_change(const Block& block);
    Scope scope_of(const Instruction& i) const;
    void compare_with_copies(const Warp& w, const Chunk& chunk, bool is_write);
    void compare_with_array(const Warp& w, const Chunk& chunk);
    bool locate(Chunk& chunk, std::uint64_t address, OfBlock& memory) const;
    const Event* written_by_launch(const Chunk& chunk) const;
    std::uint8_t used_by(std::uint32_t site);
    void touch(const Warp& w, const Chunk& chunk, Shadow& shadow, const std::uint32_t* stored);
    void report(const Warp& w, int lane, const Chunk& chunk, std::uint64_t at, const Shadow& shadow,
                const Conflict& conflict, const std::uint32_t* stored);
    std::string unwritten(std::uint64_t address, bool is_shared) const;
    void report_unwritten(const Warp& w, const Chunk& chunk, Use use);
    void note_unwritten(Warp& w, const Instruction& i, const Chunk& chunk);
    void note_stored(Warp& w, const Instruction& i, const Chunk& chunk);
    void decide(Warp& w, const Instruction& i, const Flow& flow, std::uint32_t lanes);
    void use(Warp& w, std::uint32_t lanes, Undefined::Number from);
    bool is_padding(const Chunk& chunk, std::uint64_t offset) const;
    bool is_of_struct(std::uint32_t site);
    std::uint32_t lanes_there(const Chunk& chunk, int lane) const;
    bool is_same_value(int lane, const Chunk& chunk, std::uint64_t at, const Shadow& shadow,
                       const Conflict& conflict, const std::uint32_t* stored) const;
    void agent_access(const Warp& w, int lane, Unit agent, const Range& range, bool is_write);
    bool is_of_system(std::uint64_t address) const;
    void inspect(Warp& w, const Instruction& i, const Chunk& chunk, Use use);
    std::uint8_t used_by(const Warp& w, const Instruction& i, unsigned bytes);
    bool put_off(Warp& w, const Instruction& i, const std::uint32_t* addresses, std::uint32_t lanes,
                 unsigned bytes, OfBlock& memory);
    template <class Address>
    void access(Warp& w, const Instruction& i, const Address* addresses, std::uint32_t lanes, unsigned bytes,
                Use use, const std::uint32_t* stored, OfBlock& memory, bool is_shared);
    std::uint32_t event(const Warp& w, const At& at, unsigned bytes, Use use, OfBlock& memory,
                        bool is_shared);
    template <class Address>
    void observe(Warp& w, const Instruction& i, const Address* addresses, std::uint32_t lanes, Use use,
                 OfBlock& mine, std::unordered_map<std::uint64_t, Released>& released,
                 std::unordered_map<std::uint64_t, Observers>& observers);
    bool has_observed(const Warp& w, int lane, const Chunk& chunk, std::uint64_t at, const Shadow& shadow,
                      const Conflict& conflict) const;
    void follow_first_reads(std::vector<FirstRead>& mine, std::uint64_t address, std::uint32_t site, Use use);
    std::string place(std::uint64_t address, bool is_shared) const;
    std::string of_block(const Warp& w, const Chunk& chunk) const;

    const Kernel& kernel_;
    std::vector<Blocks> concurrent_;  ///< of launches that nothing orders before this one
    std::vector<GlobalOrder::Copy> copies_;
    std::uint32_t first_block_;
    SharedBounds bounds_;
    std::map<const Block*, std::unique_ptr<OfBlock>> blocks_;
    const Block* recent_ = nullptr;
    OfBlock* recent_of_ = nullptr;
    std::vector<std::uint8_t> used_;  ///< by instruction: see words_used
    std::vector<Flow> flows_;         ///< the same
    const Flow& flow(std::uint32_t pc, const Instruction& i);
    std::map<std::uint32_t, bool> of_structs_;  ///< the same
    std::vector<Finding> findings_;
    std::map<std::tuple<Hazard, std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> known_;

    bool compares_ = false;                       ///< has the kernel an atomicCAS?
    std::map<std::uint32_t, Checked> checked_;    ///< by instruction
    std::map<std::size_t, std::uint32_t> reads_;  ///< of a finding that is a plain read and an atomic
};

}  // namespace sass
