// The emulator: runs a kernel with bulk copies on the CPU, under a schedule that a seed determines.
//
//     grid      blocks in any order, `resident` of them interleaved at a time
//     block     rounds: in each, warps in any order, some suspended for long; between them the copy engine
//     warp      lanes in any order: one fiber each, which runs until it yields or waits
//
// There is no model of time: any interleaving that the waits permit may occur. Execution is sequential, so a
// seed reproduces a run; other seeds explore other interleavings. Words written by write_word and bulk copies
// land late and out of order. All other accesses take effect at once, unlike on a GPU. The emulator therefore
// detects neither a missing fence between two of them nor a race between two lane switches.
#pragma once
#include <cstddef>
#include <functional>
#include <stdexcept>

namespace emulation {

/// A violated rule or a deadlock. The message is one line.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// threads: per block, a multiple of 32. shared_bytes: dynamic shared memory, at most SHARED_BYTES.
struct Extent {
    unsigned blocks, threads;
    std::size_t shared_bytes;
};
inline constexpr std::size_t SHARED_BYTES = 227 * 1024;  ///< limit per block on sm_90

/// resident: number of resident blocks, at least 1.
struct Schedule {
    unsigned seed, resident;
};

/// Run a kernel, given as a closure over its arguments. Throws a Fault.
void run(const Extent& extent, const Schedule& schedule, const std::function<void()>& kernel);

}  // namespace emulation
