// The SIMT machine: runs CUDA kernels on a CPU and counts what they do.
//
// A kernel is plain CUDA, compiled by g++ against simt/include/cuda_runtime.h with ThreadSanitizer
// instrumentation. This library implements the sanitizer's hooks in place of libtsan. Host code launches
// kernels with cudaLaunchKernelEx and observes them with record().
#pragma once
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "simt/counters.h"

namespace simt {

/// The kinds of errors in a kernel.
enum class Hazard {
    race,                ///< two accesses that nothing orders, see order.h and shadow.h
    missing_acquire,     ///< ordered but for the fence after a strong read; only if strict, see set_strict()
    uninitialised_read,  ///< of shared or global memory
    out_of_bounds,       ///< of shared arrays, or of the buffers and variables of global memory
    divergent_barrier,   ///< __syncthreads that not all threads reach
    divergent_warp,      ///< a warp intrinsic that not all lanes of its mask reach, or a lane outside it
    deadlock,            ///< no resident block can make progress
    assertion,           ///< assert() in a kernel
    misuse,              ///< of an mbarrier or a bulk copy
    endless_loop         ///< more accesses without a barrier than memory holds, see watchdog.h
};

/// An error in a kernel. what() is one line with kernel, block, thread, source line and address; of a race,
/// both accesses. Thrown on the host, by the launch.
struct Fault : std::runtime_error {
    Fault(Hazard kind, const std::string& what) : std::runtime_error(what), hazard(kind) {}
    Hazard hazard;
};

/// One launch. A step is the interval between two block barriers; steps[i] sums the i-th step of all blocks.
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
    int word;          ///< first 4-byte word in its shared array; -1 for an op
    int words;         ///< number of words, 1 for smaller accesses; 0 for an op
};

/// A word of block 0's shared memory that a step wrote, with its value at the end of the step.
struct Word {
    int launch;          ///< index in Recording::launches
    int step;            ///< block barriers passed before it
    const char* array;   ///< name of the shared array in the source
    int word;            ///< 4-byte word in its shared array
    std::int32_t value;  ///< its 32 bits, as an integer
};

/// What happened while record() ran.
struct Recording {
    std::vector<Launch> launches;
    std::vector<Access> trace;
    std::vector<Word> shared;
    std::vector<std::string> warnings;  ///< see set_strict() and the functions after it
    std::int64_t copies = 0;            ///< cudaMemcpy calls between host and device
    std::int64_t bytes_to_device = 0;   ///< bytes copied from host to device
    std::int64_t bytes_to_host = 0;     ///< bytes copied from device to host

    Counters total() const;
};

/// Call `run` and return its launches, in order, and its copies. With `trace`, also return the accesses and
/// the shared-memory contents of block 0 of each launch. Calls must not be nested.
Recording record(const std::function<void()>& run, bool trace = false);

/// Number of CPU cores that execute the blocks of a launch. 0, the default, means SIMT_CORES in the
/// environment if set, else all cores.
void set_cores(int cores);

/// Schedule of blocks, warps and lanes. Seed 0 runs them in ascending order. Any other seed shuffles them,
/// and a lane may then also yield at a __threadfence or a volatile store. A correct kernel gives the same
/// result under every seed, and the same counts unless its blocks communicate. Default: SIMT_SEED, else 0.
void set_seed(std::uint64_t seed);

/// Much code that is correct in practice leaves out the fence that must follow a strong read by which a
/// thread learns of other blocks' writes. Strict: that is a fault. Otherwise it is a warning, on standard
/// error and in a recording. Default: SIMT_STRICT in the environment, else not strict.
void set_strict(bool strict);

/// Whether uninitialised reads are warnings, too: for kernels that load a value which they then do not use.
/// Default: they are faults.
void set_uninitialised_reads_allowed(bool allowed);

/// Maximum number of resident blocks, at least 1. A block stays resident from its start to its end. While it
/// polls global memory, other resident blocks run. If none of them can make progress, the launch throws a
/// Fault. Default: SIMT_RESIDENT, else the larger of 16 and the number of cores.
void set_resident(int blocks);

/// What programs read of the device: an H200. Of another architecture, or with less shared memory, they may
/// choose other kernels. shared_bytes: that a block may have at most, dynamic and static.
struct Device {
    int multiprocessors = 132;
    int architecture = 90;
    int shared_bytes = 227 * 1024;
    int number = 0;  ///< of the current device, as in a host with several
};
void set_device(const Device& device);

/// Hook that Counted calls.
extern "C" void simt_operator();

/// Wraps an operator so that the machine counts each application as one op.
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
