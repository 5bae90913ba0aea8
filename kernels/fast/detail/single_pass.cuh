// One pass over a vector in tiles, for every call whose input is not one plain vector of numbers to be
// scanned or selected: iterators, keys, segments, flags, runs.
//
//     a block, repeatedly:
//         put the columns of its tile from registers to shared memory; take ITEMS elements a thread
//         issue the loads of the next tile                      in flight until its turn
//         add up threads, warps, tile; publish the sum          kernels/versioned_words
//         add up the sums of all tiles before                   32 tiles a warp, all warps together
//         finish: each thread goes over its elements again, from its prefix; store coalesced
//
// What a sum is, and what becomes of it, is the task's:
//
//     task                 sum                                  finish
//     scan                 elements combined                    out[i] = prefix op ..
//     scan by flags        the same since the last flag         the same, from each flag anew
//     select               elements flagged                     flagged elements move to their ranks
//     reduce by key        runs begun, elements since then      keys and totals of runs move to their ranks
//
// Only sums of tiles are waited for, never prefixes: there is no chain between blocks. A block publishes
// before it waits, and waits for lower tickets only, so blocks may run in any order. The grouping depends
// on the length alone, so float results are bitwise reproducible. Work: 2 n, and less than 2 a tile and
// block. Bytes: each element is read once, each result written once, and the statuses. launches 1. Runs on
// any GPU. Source: Merrill and Garland, NVR-2016-002, 2016 (tickets, statuses in one word with their data);
// flags: Schwartz 1980, Blelloch 1990, section 1.5.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/fast/detail/warp_reduce.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

/// THREADS: of a block. RESIDENT_BLOCKS: on a multiprocessor. BYTES: of a thread and tile for one column;
/// BYTES_OF_SEVERAL: of each, if there are more.
template <int THREADS_, int RESIDENT_BLOCKS_, int BYTES_, int BYTES_OF_SEVERAL_>
struct PassPolicy {
    static constexpr int THREADS = THREADS_, RESIDENT_BLOCKS = RESIDENT_BLOCKS_, BYTES = BYTES_,
                         BYTES_OF_SEVERAL = BYTES_OF_SEVERAL_;
    static constexpr int WARPS = THREADS / 32;
};

/// In flight on a multiprocessor: 80 KB of one column, 96 KB of two.
using DefaultPass = PassPolicy<512, 2, 80, 48>;

/// What a block knows of the tiles before its own. Sum: of a tile. Total: of tiles.
template <int WARPS, class Sum, class Total>
class TilesBefore {
   public:
    struct Shared {
        Sum groups[WARPS];
    };
    __device__ explicit TilesBefore(Prefix<Total> seed) : known_(seed) {}

    /// The seed and the sums of all tiles before `tile`, which ascends from call to call, to all threads.
    /// Waits until they are published. Called by all threads of the block.
    template <class Op>
    __device__ Prefix<Total> sum(unsigned tile, const VersionedArray<Sum>& published, Shared& shared,
                                 const Op& op) {
        const unsigned warp = threadIdx.x / 32;
        Prefix<Total> sum = known_;
        unsigned known_end = first_;
        for (unsigned first = first_; first < tile; first += 32 * WARPS) {
            const unsigned mine = first + 32 * warp;
            if (mine < tile) {
                const unsigned end = min(mine + 32, tile);
                Sum sums[1];
                published.await(sums, mine, end - 1);
                const Sum group = reduce_rows(sums, static_cast<int>(end - mine), op);
                if (threadIdx.x % 32 == 0) shared.groups[warp] = group;
            }
            __syncthreads();
#pragma unroll 1
            for (int g = 0; g < WARPS && first + 32 * g < tile; ++g) {
                sum = {combine(sum, static_cast<Total>(shared.groups[g]), op), true};
                if (first + 32 * (g + 1) > tile) break;
                known_ = sum;
                known_end = first + 32 * (g + 1);
            }
            __syncthreads();
        }
        first_ = known_end;
        return sum;
    }

   private:
    Prefix<Total> known_;  ///< of the tiles before first_, whole groups of 32
    unsigned first_ = 0;
};

/// Shared memory of a block.
template <class Task>
struct PassMemory {
    using Policy = typename Task::Policy;
    typename Task::Space space;
    typename Task::Sum sums[Policy::WARPS];
    typename TilesBefore<Policy::WARPS, typename Task::Sum, typename Task::Total>::Shared before;
    Ticket tickets[2];
};

/// n >= 1. Grid: any number of blocks, at most one for each tile. Dynamic shared memory: PassMemory.
template <class Task>
__global__ void __launch_bounds__(Task::Policy::THREADS, Task::Policy::RESIDENT_BLOCKS)
    single_pass(const __grid_constant__ Task task, long long n, unsigned number_of_tiles,
                const __grid_constant__ VersionedWords workspace) {
    using Policy = typename Task::Policy;
    using Sum = typename Task::Sum;
    constexpr int THREADS = Policy::THREADS, WARPS = Policy::WARPS, TILE = Task::ITEMS * THREADS;
    static_assert(WARPS <= 32 && (WARPS & (WARPS - 1)) == 0, "a warp scans the sums of the warps");
    extern __shared__ __align__(128) char memory[];
    auto& shared = *reinterpret_cast<PassMemory<Task>*>(memory);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const auto base = [](unsigned tile) { return static_cast<long long>(tile) * TILE; };
    const auto count = [&](unsigned tile) {
        return static_cast<int>(min(static_cast<long long>(TILE), n - base(tile)));
    };

    if (threadIdx.x == 0) shared.tickets[0] = workspace.take_ticket();
    __syncthreads();
    const unsigned version = shared.tickets[0].version();
    const VersionedArray<Sum> published(workspace, version);
    unsigned tile = shared.tickets[0].number();

    typename Task::Columns columns;
    if (tile < number_of_tiles) columns.load(task, base(tile), count(tile));
    // Once the first has come, so that the first tiles are one a block: a block's second tile is published
    // after its first has ended, and all tiles between would wait for it.
    if (threadIdx.x == 0) shared.tickets[1] = workspace.take_ticket();
    __syncthreads();
    Ticket next = shared.tickets[1];
    TilesBefore<WARPS, Sum, typename Task::Total> before(task.seed());
    while (tile < number_of_tiles) {
        columns.put(shared.space, base(tile));
        if (threadIdx.x == THREADS - 1) shared.tickets[0] = workspace.take_ticket();
        __syncthreads();
        typename Task::Mine mine(task, shared.space, base(tile), count(tile));
        if (next.number() < number_of_tiles) columns.load(task, base(next.number()), count(next.number()));

        const Sum inclusive = scan_warp(mine.sum(task), true, task);
        if (lane == 31) shared.sums[warp] = inclusive;
        const Sum left = shuffle_up(inclusive, 1);
        __syncthreads();  // also, all threads have taken their elements
        const Sum warps = scan_warp<WARPS>(shared.sums[lane % WARPS], lane < WARPS, task);
        const Sum of_tile = shuffle_from(warps, WARPS - 1);
        if (threadIdx.x == 0 && tile + 1 < number_of_tiles) published.write(tile, of_tile);
        Prefix<Sum> within = {shuffle_from(warps, max(warp - 1, 0)), warp > 0};
        if (lane > 0) within = {combine(within, left, task), true};

        mine.rank(task, shared.space, within, of_tile, count(tile));
        const auto prefix = before.sum(tile, published, shared.before, task);
        mine.finish(task, shared.space, prefix, within, base(tile), count(tile), tile + 1 == number_of_tiles);
        __syncthreads();
        mine.store(task, shared.space, prefix, of_tile, base(tile), count(tile), tile + 1 == number_of_tiles);
        tile = next.number();
        next = shared.tickets[0];
        __syncthreads();  // also, the tile has been stored
    }
    if (threadIdx.x == 0)
        workspace.end_call(next, number_of_tiles + 2 * gridDim.x,
                           number_of_tiles * VersionedArray<Sum>::WORDS);
}

/// Tiles of n elements, and the memory that they need.
template <class Task>
long long pass_tiles(long long n) {
    return ceil_div(n, Task::ITEMS * Task::Policy::THREADS);
}
template <class Task>
std::size_t pass_bytes(long long n) {
    return bytes_of_words<typename Task::Sum>(pass_tiles<Task>(n));
}

/// Queue the task for n >= 1 elements, if the memory suffices.
template <class Task>
cudaError_t run_pass(const Memory& memory, const Task& task, long long n, cudaStream_t stream) {
    static SharedMemoryLeave leave;
    constexpr std::size_t SHARED = sizeof(PassMemory<Task>);
    Device device;
    cudaError_t status = Device::current(device);
    if (status != cudaSuccess) return status;
    const long long tiles = pass_tiles<Task>(n);
    const std::size_t bytes = pass_bytes<Task>(n);
    if (tiles > static_cast<long long>(Ticket::MAX_NUMBER) / 2) return cudaErrorInvalidValue;
    status = memory.check(bytes, device.ordinal);
    if (status == cudaSuccess) status = leave.ask(single_pass<Task>, SHARED, device);
    VersionedWords words;
    if (status == cudaSuccess) status = memory.words(bytes, stream, words);
    if (status != cudaSuccess) return status;
    const auto blocks = static_cast<unsigned>(
        std::min<long long>(tiles, 1LL * device.multiprocessors * Task::Policy::RESIDENT_BLOCKS));
    return launch_with_shared_memory(single_pass<Task>, blocks, Task::Policy::THREADS, SHARED, stream, task,
                                     n, static_cast<unsigned>(tiles), words);
}

}  // namespace trial
