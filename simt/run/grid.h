// A launch on the machine: its blocks run until all have ended, or until those in residence only wait for
// what other launches or the host must do.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simt/clock/control.h"
#include "simt/clock/timing.h"
#include "simt/count/counts.h"
#include "simt/loader/module.h"
#include "simt/order/findings.h"
#include "simt/order/vector_clock.h"

namespace sass {

struct AskedLaunch;
struct Blocks;
struct Origin;
class DeviceRuntime;

struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
    std::uint64_t count() const { return std::uint64_t(x) * y * z; }
};

struct Launch {
    Module* module;
    const Function* kernel;
    Dim3 grid, block, cluster;
    unsigned dynamic_shared_bytes = 0;
    bool is_cooperative = false;           ///< all blocks are resident at once
    std::vector<std::uint8_t> parameters;  ///< laid out as in constant bank 0, from Function::parameter_base
    unsigned stack_bytes = 1024;           ///< of a thread, for calls whose depth the compiler does not know
    Submitted submitted = {};              ///< for checks
    bool is_clustered = false;             ///< the program asks for clusters, of one block perhaps
    DeviceRuntime* runtime = nullptr;      ///< for launches from the kernel; null: there can be none
    std::shared_ptr<Origin> origin = {};   ///< for checks, of a launch from a kernel
};

/// What is observed, and how the blocks take turns.
struct Options {
    bool counts = true;
    bool steps = false;              ///< also by step: the interval between two block barriers
    bool hints = false;              ///< also what advice needs: see Counts::for_each_hint
    bool trace = false;              ///< also every access of block 0 to shared memory
    std::uint64_t traced_block = 0;  ///< of it, if not block 0
    bool contents = false;           ///< also what block 0 leaves in shared memory after each step
    bool checks = false;             ///< for hazards, see simt/order: blocks then run on one core
    bool volatile_is_weak = false;   ///< as in C++; in PTX volatile accesses are strong
    bool is_strict = false;          ///< checks that C++ asks for, and no GPU that we know
    int cores = 0;                   ///< 0: all
    std::uint64_t seed = 0;          ///< of the order of blocks and warps; 0: ascending
    std::uint64_t reach = 8;         ///< then: of so many blocks the order changes; a power of 2
    bool is_late = false;            ///< asynchronous copies take effect as late as they may, not at once
    std::string operators;           ///< see operators.h
    std::string clock;               ///< the file with a GPU's prices, see simt/clock; empty: no clock
    std::string at_once;             ///< "file:line", where by the clock no result is waited for; or empty
    static Options& current();       ///< initially from the environment: SIMT_CORES, SIMT_SEED, ..
};

/// One lane's part in one warp request of block 0.
struct Access {
    int step, warp, request;
    const char* kind;  ///< "load", "store" (shared memory) or "op"
    int lane;
    int word,
        words;  ///< first 4-byte word in the block's shared memory, and their number; -1 and 0 for an op
    int place;
};

/// A word of block 0's shared memory that a step wrote, and its value at the step's end.
struct Word {
    int step, word;
    std::int32_t value;
};

/// How a launch failed. error: the cudaError_t that a GPU gives.
struct Failure {
    int error = 0;             ///< 0: none
    std::string line;          ///< kernel, source line, block, thread
    std::string kernel, file;  ///< where, again
    int source_line = 0;       ///< 0: unknown
    std::string cure = {};     ///< empty: as the error has it
};

/// Counts of one instruction, for tables by line.
struct InstructionCounts {
    std::uint64_t address;
    std::string text;
    int place;  ///< in Module::places()
    Counts counts;
};

/// What warps waited for at one instruction, by the clock.
struct InstructionStalls {
    std::uint32_t number;  ///< in the code
    std::uint64_t address;
    std::string text;
    int place;
    clock::Control control;
    clock::Stalls stalls;
};

class Grid {
   public:
    /// Checks the launch: failure() is set if a GPU would refuse it (too many threads, too much shared
    /// memory, ..).
    Grid(const Launch& launch, const Options& options);
    ~Grid();

    enum class State { done, waiting };
    /// Runs blocks. waiting: every resident block polls memory that only another launch or the host can
    /// write; call it again after either. Or see take_turns. done: all blocks have ended, or the launch has
    /// failed.
    State run();
    /// From now on run() also comes back when blocks have had a few turns: other launches have theirs.
    static void take_turns(bool now);
    /// Ends whatever runs, now and from now on, and says why. The text is kept.
    static void interrupt(const char* why);

    /// Grows with every store, atomic, barrier and copy: whether a launch that waits has moved since.
    std::uint64_t progress() const;
    std::uint64_t blocks_ended() const;
    const Failure& failure() const;
    /// That of a launch that waits for ever, with the place where its first block does. The launch cannot go
    /// on.
    Failure deadlock() const;
    const Counts& total() const;
    /// Whether Counts::ops are all applications of the operator in the kernel: see operators.h.
    bool shows_operators() const;
    const std::vector<Counts>& steps() const;
    /// Distinct sectors of global memory that were read, and that were written; 0 if nothing is counted.
    std::int64_t sectors_read() const;
    std::int64_t sectors_written() const;
    const clock::Timing* timing() const;  ///< by the clock; null: there is none
    std::vector<InstructionStalls> stalls() const;
    const std::vector<Access>& trace() const;
    const std::vector<Word>& contents() const;
    std::vector<InstructionCounts> by_instruction() const;
    /// What the kernel has printed, by block in ascending order.
    std::string printed() const;
    const Launch& launch() const;
    /// The launches that the kernel has asked for since the last call, by block in ascending order.
    std::vector<AskedLaunch> take_asked();
    Blocks blocks() const;  ///< by the checks' numbers; without checks none
    /// What the checks have found so far.
    std::vector<Finding> findings() const;

   private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sass
