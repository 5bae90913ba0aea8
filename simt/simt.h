// The SIMT machine: runs CUDA kernels on a CPU and counts what they do.
//
// A kernel is plain CUDA, compiled by g++ against simt/include/cuda_runtime.h with the compiler's
// thread-sanitizer instrumentation, whose hooks lead here instead of to its own library. Host code
// launches it with cudaLaunchKernelEx and looks on with record().
#pragma once
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "simt/counters.h"

namespace simt {

/// A kernel did what it must not: a race inside a block, a barrier that not all lanes reach, an access
/// outside any buffer, a read of memory that nothing wrote, a deadlock of blocks. what() is one line with
/// kernel, block, thread and address. Thrown by the launch, on the host.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One launch. A step lies between two block barriers; steps[i] sums the i-th step of every block.
struct Launch {
    std::string kernel;
    unsigned blocks = 0;
    unsigned threads = 0;
    Counters total;
    std::vector<Counters> steps;
};

/// One lane's part in one warp request of block 0.
struct Access {
    int launch;        ///< index in Recording::launches
    int step;          ///< block barriers passed before it
    int warp;          ///< of block 0
    int request;       ///< number within the warp's step
    const char* kind;  ///< "load", "store" (shared memory), or "op"
    int lane;          ///< 0 .. 31
    int word;          ///< 4-byte word in its shared array; -1 for an op
};

/// A word of block 0's shared memory that a step wrote, and what it holds at the end of the step.
struct Word {
    int launch;          ///< index in Recording::launches
    int step;            ///< block barriers passed before it
    const char* array;   ///< the shared array, by its name in the source
    int word;            ///< 4-byte word in its shared array
    std::int32_t value;  ///< its 32 bits, as an integer
};

/// What happened while record() ran.
struct Recording {
    std::vector<Launch> launches;
    std::vector<Access> trace;
    std::vector<Word> shared;
    std::int64_t copies = 0;           ///< cudaMemcpy calls between host and device
    std::int64_t bytes_to_device = 0;  ///< bytes that they carried up
    std::int64_t bytes_to_host = 0;    ///< bytes that they carried down

    Counters total() const;
};

/// Run `run` and return every launch and copy it made, in order; with `trace`, also the accesses of block
/// 0 of each launch, and what it leaves in shared memory. Not to be nested.
Recording record(const std::function<void()>& run, bool trace = false);

/// CPU cores that share the blocks of a launch; 0, the default: SIMT_CORES in the environment, else all.
void set_cores(int cores);

/// Order in which blocks, warps and lanes take turns: 0 is ascending, anything else a shuffle by that
/// seed, in which a lane may also give way at a __threadfence or a volatile store. A correct kernel gives the
/// same result under any, and the same counts unless its blocks talk to one another. Default: SIMT_SEED, else
/// 0.
void set_seed(std::uint64_t seed);

/// Blocks that may be in flight at a time, at least 1. A block begins when it finds a place and keeps it to
/// its end; while it waits for others, by looking at global memory again and again, others run. If all in
/// flight wait for ever, that is a Fault. Default: SIMT_RESIDENT, else 16 or the number of cores, whichever
/// is more.
void set_resident(int blocks);

/// Hook behind Counted.
extern "C" void simt_operator();

/// An operator that reports each application as one op.
template <class Op>
struct Counted : Op {
    Counted() = default;
    Counted(Op op) : Op(op) {}

    template <class T>
    __attribute__((always_inline)) T operator()(T left, T right) const {
        simt_operator();
        return Op::operator()(left, right);
    }
};

}  // namespace simt
