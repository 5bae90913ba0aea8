// The emulator: runs a kernel with bulk copies on the CPU, in an order that a seed decides.
//
//     grid      blocks in any order, `resident` of them at a time, which take schedule
//     block     rounds: in each, warps in any order, some left out for long; between them the copy engine
//     warp      lanes in any order: each a fiber, which runs until it gives way or waits
//
// It knows no time: a schedule is any order of schedule that waiting allows. One thing happens after another, so
// a seed gives the same run again; what another order would bring, other seeds tell. Words written by
// write_word and bulk copies land late and out of order. Other accesses take effect at once, unlike those of
// a GPU: a missing fence between two of them is not noticed, nor is a race between two switches of lanes.
#pragma once
#include <cstddef>
#include <functional>
#include <stdexcept>

namespace emulation {

/// A rule was broken, or nothing moves any more. The message is one line.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Threads of a block: a multiple of 32. Dynamic shared memory: in bytes, SHARED_BYTES at most.
struct Extent {
    unsigned blocks, threads;
    std::size_t shared_bytes;
};
inline constexpr std::size_t SHARED_BYTES = 227 * 1024;  ///< of a block of sm_90

/// resident: blocks at a time, 1 at least.
struct Schedule {
    unsigned seed, resident;
};

/// Run the kernel: a call of it with its arguments. Throws a Fault.
void run(const Extent& extent, const Schedule& schedule, const std::function<void()>& kernel);

}  // namespace emulation
