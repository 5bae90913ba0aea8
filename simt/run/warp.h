// A warp and its block, as the machine executes them.
//
// Registers are rows: R3 of all 32 lanes is one row of 32 words, so that an instruction is a loop over lanes
// which the compiler turns into vector instructions. A uniform register is a row of 32 equal words and a
// uniform instruction an ordinary one with all lanes at work: one definition serves both. A predicate is a
// mask, bit l for lane l.
//
// The lanes of a warp that share a program counter form a group. Groups part at branches and meet again where
// the compiler says so: BSSY notes in a barrier register who must meet, BSYNC waits for them. On a GPU that
// register is a mask, which functions save and restore; here it holds, for each lane, the number of a
// meeting: groups at different depths of calls then cannot mistake one another's barriers, in whatever order
// they take turns.
//
// Which group runs is as seen on an H200. At a branch the side with fewer lanes goes first, at a tie the one
// that is not taken. When it can't go on, the other side is next, alone, unless there was another branch
// meanwhile; else the lanes that parted last, with all that are at the same instruction. Those that wait
// there for them, at BSYNC, then are counted once more.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simt/order/undefined.h"
#include "simt/order/uniform.h"
#include "simt/run/grid.h"

namespace sass {

constexpr std::uint32_t NO_CALLER = ~0u;

struct Block;
struct Cluster;
struct Kernel;
namespace clock {
struct Request;
}

extern std::atomic<const char*> interrupted;  ///< see Grid::interrupt

constexpr int TIMEOUT = 702;  ///< cudaErrorLaunchTimeout

/// A fault of the program: the launch ends with this CUDA error.
struct Fault {
    int error;  ///< cudaError_t
    std::string what;
    int lane = -1;
    std::string cure = {};  ///< empty: as the error has it
};

struct Group {
    enum State : std::uint16_t { ready, at_convergence, at_warp_sync, at_block_barrier };
    std::uint32_t lanes;
    std::uint32_t pc;  ///< index in Kernel::code
    State state = ready;
    std::uint16_t barrier = 0;  ///< at_block_barrier: which
    std::uint32_t awaited = 0;  ///< the lanes that must come; at_convergence: in which barrier register
    std::uint32_t doubted = 0;  ///< at_warp_sync: the lanes awaited that waited to converge, elsewhere
    bool yielded = false;       ///< lets others go first
    bool is_next = false;       ///< goes on before others, and alone
    bool is_patient = true;     ///< at_convergence: waits as long as it takes
    bool may_go = false;        ///< at_convergence: as the registers are now
    bool waits_to_converge(std::uint32_t in) const { return state == at_convergence && awaited == in; }
};

/// What one instruction cost, summed over its executions in one step of the blocks.
struct Tally {
    std::int64_t issued = 0, lanes = 0,
                 on = 0;  ///< warp instructions, active lanes, lanes whose guard is true
    std::int64_t requests = 0, request_lanes = 0;
    std::int64_t shared = 0, local = 0;  ///< requests of generic accesses to these memories
    std::int64_t passes = 0, ideal = 0;  ///< over the banks of shared memory
    std::int64_t sectors = 0;
    // For advice, if that is wanted.
    std::int64_t padded = 0, fewest = 0, global_lanes = 0, words = 0;
    std::int64_t stride = 0, stride_votes = 0;  ///< of most requests, by majority vote
    void vote(std::int64_t of_request, std::int64_t votes = 1) {
        if (stride_votes == 0) stride = of_request;
        stride_votes += of_request == stride ? votes : -votes;
        if (stride_votes < 0) stride = of_request, stride_votes = -stride_votes;
    }
    std::int64_t other = 0;  ///< branches: further targets; operators: issued with a lane at work; bulk
                             ///< copies: bytes; mbarriers: arrivals; barriers: passed by a block whose first
                             ///< warp waits here
};

/// A barrier of the block: bar.sync and its kin.
struct BlockBarrier {
    unsigned arrived = 0;   ///< threads, in whole warps, that do not wait
    unsigned expected = 0;  ///< 0: all that have not ended
    unsigned count = 0;     ///< of the reduction
    bool all = true, any = false;
    std::uint8_t mode = 0;  ///< 0 count, 1 and, 2 or
};

/// Barriers 0 to 15 are named by the program; the last stands for that of the cluster: see cluster.h.
constexpr std::uint8_t CLUSTER_BARRIER = 16, BLOCK_BARRIERS = 17;

struct alignas(64) Warp {
    std::uint32_t* base[2];  ///< rows of the warp, rows of the launch: see Source
    std::uint32_t p[PREDICATES];
    std::uint32_t active = 0;  ///< lanes of the group that runs
    std::uint32_t pc = 0;
    Tally* tally = nullptr;  ///< of the step, by instruction
    Block* block = nullptr;
    std::uint32_t alive = 0;     ///< lanes that have not exited
    std::uint32_t arrived = 0;   ///< lanes that have arrived at the cluster's barrier, which is not over
    std::uint32_t passed = 0;    ///< those that have arrived, and not yet waited at one that is
    std::uint32_t backward = 0;  ///< branches since the group's turn began
    std::uint32_t late = 0;      ///< of lanes that met at a collective instruction, those that came last
    std::uint32_t b[16] = {};    ///< convergence barriers: the lanes that must meet
    bool running = false;        ///< a group does; it is not among `groups`
    bool waits = false;          ///< the instruction could not be executed yet
    bool yields = false;         ///< others should have their turn
    bool waits_in_vain = false;  ///< nothing else can be done: a wait that may fail does
    bool applied = false;        ///< the operator, in this step
    int slice = 0;               ///< instructions of a turn
    int number = 0;              ///< in the block
    int step = 0;                ///< block barriers passed
    int request = 0;             ///< numbers the requests of a traced step
    std::vector<Group> groups;   ///< those that do not run, the last that parted at the end
    std::vector<std::uint32_t> local;  ///< words of local memory, 32 lanes a row, from the end of the stacks
    std::vector<std::uint32_t> rows;
    /// Where a lane goes after what it is collected for: an instruction, by WARPSYNC.COLLECTIVE.
    std::uint32_t collected_to[LANES];
    std::uint32_t gathered[LANES] = {};  ///< with whom a lane last voted before an atomic by one for all
    std::uint32_t caller[LANES];         ///< the last call of the user's that a lane has made; NO_CALLER
    BlockBarrier reduced;                ///< the last reduction at a barrier
    Undefined undefined;                 ///< bits of registers, for the checks
    Uniform uniform;                     ///< words of uniform registers, the same

    std::uint32_t* row(std::uint16_t r) { return base[0] + std::size_t(r) * LANES; }
    const std::uint32_t* source(Source s) const { return base[s.of] + std::size_t(s.row) * LANES; }
    std::uint32_t predicate(std::uint8_t code) const { return p[code & 31] ^ (code & INVERTED ? ALL : 0); }
    void set_predicate(std::uint8_t index, std::uint32_t lanes, std::uint32_t value) {
        p[index] = (p[index] & ~lanes) | (value & lanes);
    }

    /// Whom a lane that executes what is gathered, see Ordering, does it for. Several lanes: for themselves.
    std::uint32_t gathered_with(std::uint32_t lanes) const {
        return lanes & (lanes - 1) ? lanes : gathered[__builtin_ctz(lanes)] | lanes;
    }

    void start(Block& in, int number, std::uint32_t lanes);
    /// The instruction to name for what a lane does now, or there: of a function of CUDA's the user's call.
    std::uint32_t site(int lane) const { return site(lane, pc); }
    std::uint32_t site(int lane, std::uint32_t at) const;
    /// Groups take turns, until all wait or have ended or each has made many backward branches. Returns
    /// whether any instruction was executed.
    bool run();
    /// Lets a group run if none does. False: all wait.
    bool prepare();
    bool done() const { return alive == 0; }
    /// Calls part(address, bytes) for all that decides what the warp does next, but for memory that others
    /// see, as long as it returns true.
    template <class Part>
    bool every_part(Part part) const;
    /// When no warp of the block can go on otherwise: lanes that wait to converge, and are awaited at a warp
    /// sync, go on without the others. Barrier registers are the warp's, so some may be past the BSYNC where
    /// the rest waits for them; or the compiler has put a warp sync before a barrier of the block, and some
    /// have left the region by a branch. If they have gone on and have not come, the program has named lanes
    /// that do not, and the sync goes on without. False: there are none.
    bool try_without_convergence();
    bool only_waits() const;  ///< for other lanes or warps
    /// A barrier of the block has been passed: those that waited there go on.
    void release(std::uint8_t barrier);
    std::uint32_t waiting_at(std::uint8_t barrier) const;  ///< of the block
    void begin_step();                                     ///< behind a barrier

    // For control instructions; pc is already that of the next instruction, but for part().
    void part(const Group& first, const Group& next);  ///< the group parts into these, by a branch
    void wait(Group::State state, std::uint32_t awaited, std::uint8_t barrier);
    void exit(std::uint32_t lanes);
    /// BSYNC: if all lanes in the barrier register are here or wait at some BSYNC, whichever, those of this
    /// place go on together. Else those that are in it wait, and the others go on. False: all wait.
    bool converges(std::uint8_t barrier);
    /// All that are awaited where this group waits have come: it goes on as soon as it can.
    bool is_complete(const Group& waiting) const;
    std::uint32_t waiting_to_converge() const;  ///< lanes, but for those that are complete
    /// Nobody waits for these lanes to converge, nor do they: they have let others go first.
    void leave_barriers(std::uint32_t lanes);
    /// Lets groups go on whose awaited lanes have all come to a warp sync.
    void meet();
    template <class IsMeant>
    std::vector<Group> taken(IsMeant is_meant);
    const Group* complete() const;
    /// Lanes that a warp sync awaits, which waited to converge, and have come to a sync of another place.
    bool give_up_elsewhere(const Group& at);
    void give_up(Group& group, std::uint32_t lanes) const;  ///< of the doubted ones
    void synchronise(const Group& at, std::uint32_t awaited, std::vector<Group>& met);
    void compare_met(const std::vector<Group>& met);
    /// Those that met at copies of one collective instruction execute one of them together.
    void collect(std::vector<Group>& met) const;

   private:
    void number_threads(int its_number, const Dim3& size);
    // A WARPSYNC is issued again for all lanes that wait at it: when they are complete and, in vain, after
    // each YIELD of others. Found from an H200's counters.
    void issue_again(const Group& waiting);
    void try_again();
    void lose_patience();  ///< those that need not wait for ever go on
    int vain_yields_ = 0;
    template <bool TRACED>
    int execute();  ///< the number of instructions
    bool next_group();
    /// Whoever waits at a BSYNC comes to it again once its register does not hold it any more, or none that
    /// is elsewhere: by BREAK, EXIT or BMOV of others. Seen on an H200.
    void look_at_barriers();
};

class Copies;
class Checks;
struct LaunchesOfBlock;
struct Observation;

struct Block {
    const Kernel* kernel = nullptr;
    Dim3 index;
    std::uint64_t number = 0;
    unsigned threads = 0;
    std::vector<std::unique_ptr<Warp>> warps;
    std::vector<std::uint8_t> shared;  ///< from byte 0 of the window; the first 1,024 belong to the system
    BlockBarrier barriers[BLOCK_BARRIERS];
    std::unique_ptr<Copies> copies;             ///< asynchronous ones, and mbarriers
    std::unique_ptr<LaunchesOfBlock> launches;  ///< null: none so far
    std::shared_ptr<Cluster> cluster;           ///< to which it belongs, perhaps alone
    std::uint32_t window = 0;                   ///< where its shared memory begins among its cluster's
    std::uint64_t* progress = nullptr;  ///< counts what others may wait for: stores, atomics, barriers, ends
    Observation* observed = nullptr;    ///< where counts go
    Checks* checks = nullptr;           ///< for hazards; null: none
    clock::Request* request = nullptr;  ///< where accesses are noted for the clock; null: there is none
    bool is_traced = false;
    bool has_ended = false;                ///< and others of its cluster have not
    std::uint32_t awaited_barriers = 0;    ///< a mask of those at which a group waits
    bool polls = false;                    ///< has read what others may write, in this round of turns
    unsigned silent = 0;                   ///< rounds of the warps' turns since it has polled
    unsigned polling = 0;                  ///< rounds since it was silent for long
    bool has_given_way = false;            ///< after many of these, though it wrote something: it may wait
    unsigned quiet = 0;                    ///< rounds of the warps' turns since the block wrote anything
    unsigned circles_until = 0;            ///< such a round: until then the block is known to go in a circle
    std::vector<std::uint8_t> remembered;  ///< what decides what the block does next, after one of them
    std::vector<bool> written;             ///< words of shared memory, in this step, if traced
    int step = 0;

    Block();
    ~Block();
    void start(const Kernel& of, std::uint64_t number, Observation& observed, std::uint64_t& progress,
               std::uint64_t seed);
    enum class State { done, waiting, turned };
    /// Lets every warp run in turn, until all have ended or the block only polls. `at`: the warp whose turn
    /// it is. With `one_turn`, each warp has one turn: turned. So it is if the block has polled for long but
    /// writes meanwhile (say what is there already): it may wait for a block that has not begun.
    State run(const Warp*& at, bool one_turn);
    /// After a round in which nothing was written: whether registers and memory are what they were after an
    /// earlier one. Then the block goes in a circle for ever, unless others write what it reads.
    bool goes_in_circle();
    void forget_circle() { quiet = circles_until = 0; }  ///< something else decides what it does next
    /// Passes the barrier if all that it awaits have come.
    void check_barrier(std::uint8_t barrier);
    void note_contents();

   private:
    const Group* first_at(std::uint8_t barrier) const;  ///< that waits there
    void note_barrier(std::uint8_t barrier);
};

}  // namespace sass
