// One pass over a vector in tiles, for every call whose input is not one plain vector of numbers to be
// scanned or selected: iterators, keys, segments, flags, runs.
//
//     a block, repeatedly:
//         copy a tile to shared memory, coalesced; take ITEMS elements a thread
//         add up threads, warps, tile; publish the sum          kernels/versioned_words
//         add up what is before the tile                        two warps, two loads each
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
// What is before a tile, in groups of 32 tiles and of 32 groups:
//
//     groups of 32 groups     all before            1 value      chained: one wait for 1,024 tiles
//     groups before           their sums         0 .. 31 values
//     tiles before            their sums         0 .. 31 values
//
// The last tile of a group publishes the group's sum. No tile waits for its neighbour's prefix, and the
// grouping depends on the length alone, so float results are bitwise reproducible. A block publishes before
// it waits, waits for lower tickets only, and takes the next ticket when it waits no more, so blocks may run
// in any order. Several blocks on a multiprocessor keep it busy while others wait: a block that loads its
// next tile before it waits for this one's predecessors, or waits one tile later, needs the memory of two or
// three tiles. With fewer blocks, both took up to 5 times as long for 2^28 elements (an H100).
//
// What a task has:
//
//     Policy, ITEMS            threads of a block, elements of a thread
//     Sum, Total               what a tile publishes, and what is before it; combined by operator()
//     IS_TOTAL                 whether that may be given what lies after the vector's end
//     Columns, Space           a tile on its way, and in shared memory
//     seed()                   what is before the vector
//     Mine                     a thread's elements: sum(); then rank(), finish() and store() in turn, with a
//                              barrier before each. A thread may write to Space in rank() and finish().
//                              What it keeps meanwhile are registers, which many resident blocks divide.
//
// Work: 2 n, and less than 70 a tile. Bytes: each element is read once, each result written once, and the
// statuses. launches 1. Runs on any GPU. Source: Merrill and Garland, NVR-2016-002, 2016 (tickets, statuses
// in one word with their data); flags: Schwartz 1980, Blelloch 1990, section 1.5.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/detail/length.cuh"
#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/fast/detail/warp_reduce.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

inline constexpr int LINE_BYTES = 128;  ///< of the L2 cache

/// THREADS: of a block, at least 64. RESIDENT_BLOCKS: on a multiprocessor. BYTES: of a thread and tile for
/// one column; BYTES_OF_SEVERAL: of each, if there are more. APART: bytes from a published sum to the next,
/// or what it needs if that is more.
template <int THREADS_, int RESIDENT_BLOCKS_, int BYTES_, int BYTES_OF_SEVERAL_, int APART_ = LINE_BYTES>
struct PassPolicy {
    static constexpr int THREADS = THREADS_, RESIDENT_BLOCKS = RESIDENT_BLOCKS_, BYTES = BYTES_,
                         BYTES_OF_SEVERAL = BYTES_OF_SEVERAL_, APART = APART_;
    static constexpr int WARPS = THREADS / 32;
};

/// Many threads hide waits, long tiles spread the work for each; registers and shared memory set the limit.
/// Found by trying on an H100, then on an H200. T: the largest elements, of up to 4 bytes, or of more.
///
///     VectorPass       selections and run lengths of vectors
///     PairsPass        selections of keys with their elements
///     IteratorPass     scans of iterators; these and the next have nothing to load, so polls of sums are
///     SelectPass       selections of iterators                       what costs: fewer sectors with them
///     SegmentPass      calls by offsets
///     KeyedScanPass    scans by key
///     RunsPass         where a thread keeps keys and elements while it waits
template <class T, class UpTo4Bytes, class Larger>
using BySize = std::conditional_t<(sizeof(T) <= 4), UpTo4Bytes, Larger>;
template <class T>
using VectorPass = BySize<T, PassPolicy<256, 6, 112, 112>, PassPolicy<256, 5, 144, 144>>;
template <class T>
using PairsPass = BySize<T, PassPolicy<256, 6, 0, 112>, PassPolicy<512, 2, 0, 144>>;
template <class T>
using IteratorPass = BySize<T, PassPolicy<256, 6, 80, 80>, PassPolicy<256, 5, 144, 80, 0>>;
template <class T>
using SelectPass = BySize<T, PassPolicy<256, 6, 112, 80>, PassPolicy<256, 5, 144, 80, 0>>;
template <class T>
using SegmentPass = BySize<T, PassPolicy<256, 6, 112, 80>, PassPolicy<256, 5, 144, 80>>;
template <class T>
using KeyedScanPass = BySize<T, PassPolicy<256, 5, 0, 80>, PassPolicy<256, 4, 0, 144>>;
using RunsPass = PassPolicy<512, 2, 0, 80>;

/// The policy of a call: `Policy`, or its own one if that is void.
template <class Policy, class Own>
using policy_or = std::conditional_t<std::is_void_v<Policy>, Own, Policy>;

/// A task whose tiles are stored to places that earlier tiles were read from: these reads come before the
/// publication of their tile's sum, and the stores after the wait for it.
template <class Task>
struct InPlace : Task {
    static constexpr bool ORDERS_READS = true;
};
template <class Task, class = void>
inline constexpr bool ORDERS_READS = false;
template <class Task>
inline constexpr bool ORDERS_READS<Task, std::void_t<decltype(Task::ORDERS_READS)>> = true;
template <class Task>
__device__ void order_reads(const Task&) {
    if constexpr (ORDERS_READS<Task>) __threadfence();
}

/// The published sums, of tiles and of groups of 32 tiles. Best is a line of the cache for each:
/// multiprocessors at both halves of it write sums, and a line that both write goes back and forth.
///
///     groups[g + 1]     the sum of group g; if 32 divides g + 1, of the seed and all groups up to g
template <class Sum, class Total, int APART = LINE_BYTES>
class SumsOfTiles {
    template <class T>
    static constexpr int WORDS = std::max<int>(APART / sizeof(VersionedWords::Word), Versioned<T>::WORDS);
    static constexpr int OF_TILE = WORDS<Sum>, OF_GROUP = WORDS<Total>;

   public:
    static constexpr bool HAS_GAPS = APART > 0 && OF_TILE == OF_GROUP;  ///< a line for each sum
    struct Shared {
        Prefix<Sum> tiles;
        Prefix<Total> groups;
    };
    __host__ __device__ static long long words(long long tiles) {
        return words_of_tiles(tiles) + (tiles / 32 + 1) * OF_GROUP;
    }
    /// Whether `word`, of words(tiles), is of a sum, and not between two.
    __host__ __device__ static bool is_used(unsigned word, unsigned tiles) {
        return word % OF_TILE < (word / OF_TILE < tiles ? Versioned<Sum>::WORDS : Versioned<Total>::WORDS);
    }
    __device__ SumsOfTiles(const VersionedWords& workspace, unsigned version, unsigned tiles)
        : tiles_(workspace, version),
          groups_(workspace, version, words_of_tiles(tiles)),
          number_of_tiles_(tiles) {}

    /// Publish the sum of a tile. Called by one thread.
    __device__ void publish(unsigned tile, const Sum& sum) const {
        if (tile + 1 < number_of_tiles_) tiles_.write(tile, sum);
    }

    /// The task's seed and the sums of all tiles before `tile`, to all threads. sum: of the tile, which has
    /// been published. Waits until all are. Called by all threads of the block; has one barrier.
    template <class Task>
    __device__ Prefix<Total> before(unsigned tile, const Sum& sum, Shared& shared, const Task& op) const {
        const unsigned group = tile / 32, warp = threadIdx.x / 32;
        const bool ends_group = tile % 32 == 31 && tile + 1 < number_of_tiles_;
        const bool ends_groups = group % 32 == 31;
        if (warp == 0) {
            const Prefix<Sum> tiles = reduce(tiles_, 32 * group, tile, op);
            if (threadIdx.x == 0) {
                shared.tiles = tiles;
                if (ends_group && !ends_groups) {
                    order_reads(op);
                    groups_.write(group + 1, static_cast<Total>(combine(tiles, sum, op)));
                }
            }
        } else if (warp == 1) {
            const unsigned first = group / 32 * 32;
            Prefix<Total> groups = reduce(groups_, max(first, 1u), group + 1, op);
            if (first == 0) groups = combine(op.seed(), groups, op);
            if (threadIdx.x % 32 == 0) shared.groups = groups;
        }
        __syncthreads();
        Prefix<Total> before = shared.groups;
        if (shared.tiles.exists) before = {combine(before, static_cast<Total>(shared.tiles.value), op), true};
        if (ends_group && ends_groups && threadIdx.x == 0) {
            order_reads(op);
            groups_.write(group + 1, combine(before, static_cast<Total>(sum), op));
        }
        return before;
    }

   private:
    /// A multiple of 2, so that what follows is aligned.
    __host__ __device__ static long long words_of_tiles(long long tiles) {
        return HAS_GAPS ? tiles * OF_TILE : (tiles * OF_TILE + 1) / 2 * 2;
    }
    /// Values first .. end - 1, at most 32, combined; waits until they are published. Called by a warp.
    template <class T, class Op>
    __device__ static Prefix<T> reduce(const VersionedArray<T, WORDS<T>>& published, unsigned first,
                                       unsigned end, const Op& op) {
        if (first >= end) return {{}, false};
        T values[1];
        published.await(values, first, end - 1);
        if constexpr (ORDERS_READS<Op>) {
            __threadfence();
            __syncwarp();
        }
        return {reduce_rows(values, static_cast<int>(end - first), op), true};
    }

    VersionedArray<Sum, WORDS<Sum>> tiles_;
    VersionedArray<Total, WORDS<Total>> groups_;
    unsigned number_of_tiles_;
};

template <class Task>
using SumsOf = SumsOfTiles<typename Task::Sum, typename Task::Total, Task::Policy::APART>;

/// Shared memory of a block.
template <class Task>
struct PassMemory {
    typename Task::Space space;
    typename Task::Sum sums[Task::Policy::WARPS];
    typename SumsOf<Task>::Shared before;
    Ticket ticket;
};

/// Blocks that a multiprocessor of sm_90 holds: as many as the policy wants, if their memory suffices.
template <class Task>
inline constexpr int RESIDENT_BLOCKS = std::clamp(
    227 * 1024 / static_cast<int>(sizeof(PassMemory<Task>) + 1024), 1, Task::Policy::RESIDENT_BLOCKS);

/// Inclusive scan of `own` of the first `lanes` lanes of a warp, at most LANES; other results are not used.
template <int LANES, class Task>
__device__ typename Task::Sum scan_lanes(const Task& task, const typename Task::Sum& own, int lanes) {
    return scan_warp<LANES>(own, static_cast<int>(threadIdx.x % 32) < lanes, task);
}

/// Whether the operator may be given the thread's element j of a tile of `count`: not what lies after the
/// vector's end, unless it IS_TOTAL.
template <class Task>
__device__ bool is_operand(int j, int count) {
    return IS_TOTAL<Task> || count >= Task::ITEMS * Task::THREADS ||
           static_cast<int>(threadIdx.x) * Task::ITEMS + j < count;
}

/// A tile's sum, and what of it is before the thread.
template <class Sum>
struct SumsOfTile {
    Sum of_tile;
    Prefix<Sum> within;
};

/// own: the thread's sum. count: elements of the tile. of_warps: in shared memory. Called by all threads of
/// the block; has one barrier.
template <int WARPS, class Task>
__device__ SumsOfTile<typename Task::Sum> add_up(const Task& task, const typename Task::Sum& own, int count,
                                                 typename Task::Sum (&of_warps)[WARPS]) {
    using Sum = typename Task::Sum;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // Threads, lanes of this warp and warps that have elements to combine.
    const int threads = IS_TOTAL<Task> ? 32 * WARPS : (count + Task::ITEMS - 1) / Task::ITEMS;
    const int lanes = IS_TOTAL<Task> ? 32 : max(0, min(32, threads - 32 * warp));
    const int whole = IS_TOTAL<Task> ? WARPS : (threads + 31) / 32;
    const Sum inclusive = scan_lanes<32>(task, own, lanes);
    if (lane == max(lanes - 1, 0)) of_warps[warp] = inclusive;  // of no elements, too: it is read below
    const Sum left = shuffle_up(inclusive, 1);
    __syncthreads();
    const Sum warps = scan_lanes<WARPS>(task, of_warps[lane % WARPS], whole);
    Prefix<Sum> within = {shuffle_from(warps, max(warp - 1, 0)), warp > 0 && lanes > 0};
    if (lane > 0 && lane < lanes) within = {combine(within, left, task), true};
    return {shuffle_from(warps, whole - 1), within};
}

/// The work of a block. Dynamic shared memory: PassMemory. used: words of the workspace. alone: there is one
/// tile. several: blocks draw tickets until there are no more tiles, else one each.
template <class Task>
__device__ __forceinline__ void pass_over_tiles(const Task& task, long long n, unsigned number_of_tiles,
                                                unsigned used, const VersionedWords& workspace, bool alone,
                                                bool several) {
    using Policy = typename Task::Policy;
    using Sums = SumsOf<Task>;
    constexpr int THREADS = Policy::THREADS, WARPS = Policy::WARPS, TILE = Task::ITEMS * THREADS;
    static_assert(WARPS >= 2 && WARPS <= 32 && (WARPS & (WARPS - 1)) == 0, "a warp scans the sums of warps");
    extern __shared__ __align__(128) char memory[];
    auto& shared = *reinterpret_cast<PassMemory<Task>*>(memory);

    Ticket ticket;
    if (!alone) {
        if (threadIdx.x == 0) shared.ticket = workspace.take_ticket();
        __syncthreads();
        ticket = shared.ticket;
    }
    const Sums sums(workspace, ticket.version(), number_of_tiles);
    while (ticket.number() < number_of_tiles) {
        const unsigned tile = ticket.number();
        const bool last = tile + 1 == number_of_tiles;
        const long long base = static_cast<long long>(tile) * TILE;
        const int count = static_cast<int>(min(static_cast<long long>(TILE), n - base));
        typename Task::Columns columns;
        columns.load(task, shared.space, base, count);
        columns.put(shared.space);
        wait_for_copies();
        __syncthreads();
        typename Task::Mine mine(task, shared.space, base, count);
        const auto [of_tile, within] = add_up(task, mine.sum(task, shared.space, count), count, shared.sums);
        if (threadIdx.x == 0) {
            order_reads(task);
            sums.publish(tile, of_tile);
        }
        mine.rank(task, shared.space, within, of_tile, count);
        const auto prefix = sums.before(tile, of_tile, shared.before, task);
        if (several && threadIdx.x == THREADS - 1) shared.ticket = workspace.take_ticket();
        mine.finish(task, shared.space, prefix, within, base, count, last);
        __syncthreads();
        const Ticket next = several ? shared.ticket : ticket;
        mine.store(task, shared.space, prefix, of_tile, base, count, last);
        if (!several) break;
        ticket = next;
        __syncthreads();  // the tile has been stored
    }
    if (threadIdx.x != 0 || alone) return;
    const unsigned tickets = several ? number_of_tiles + gridDim.x : number_of_tiles;
    if constexpr (Sums::HAS_GAPS)
        workspace.end_call_of(ticket, tickets, [=](unsigned word) {
            return word < Sums::words(number_of_tiles) ? Sums::is_used(word, number_of_tiles) : word < used;
        });
    else
        workspace.end_call(ticket, tickets, used);
}

/// n >= 1. Grid: any number of blocks, at most one for each tile.
template <class Task>
__global__ void __launch_bounds__(Task::Policy::THREADS, RESIDENT_BLOCKS<Task>)
    single_pass(const __grid_constant__ Task task, long long n, unsigned number_of_tiles, unsigned used,
                const __grid_constant__ VersionedWords workspace) {
    // A tile alone needs no ticket. Of as many blocks as tiles, each draws one; of fewer, each draws until
    // there are no more tiles.
    pass_over_tiles(task, n, number_of_tiles, used, workspace, number_of_tiles == 1,
                    number_of_tiles > gridDim.x);
}

/// The same for any number of elements up to n.most, which the device knows.
template <class Task, class N>
__global__ void __launch_bounds__(Task::Policy::THREADS, RESIDENT_BLOCKS<Task>)
    single_pass_on_device(const __grid_constant__ Task task, OnDevice<N> n, unsigned used,
                          const __grid_constant__ VersionedWords workspace) {
    const long long count = max(0LL, min(n.most, n.end(0)));
    if (count == 0 && blockIdx.x == 0 && threadIdx.x == 0) task.finish_nothing();
    const auto tiles = static_cast<unsigned>(ceil_div(count, Task::ITEMS * Task::Policy::THREADS));
    pass_over_tiles(task, count, tiles, used, workspace, false, true);
}

/// Tiles of n elements, and the memory that they need.
template <class Task>
long long pass_tiles(long long n) {
    return ceil_div(n, Task::ITEMS * Task::Policy::THREADS);
}
template <class Task>
long long pass_words(long long n) {
    return SumsOf<Task>::words(pass_tiles<Task>(n));
}

/// Queue the task for n >= 1 elements, on words of a workspace of which the call uses `used`.
template <class Task>
cudaError_t queue_pass(const VersionedWords& words, const Device& device, const Task& task, long long n,
                       long long used, cudaStream_t stream) {
    static SharedMemoryLeave leave;
    constexpr std::size_t SHARED = sizeof(PassMemory<Task>);
    const long long tiles = pass_tiles<Task>(n);
    const auto blocks = static_cast<unsigned>(
        std::min<long long>(tiles, 1LL * device.multiprocessors * RESIDENT_BLOCKS<Task>));
    const cudaError_t status = leave.ask(single_pass<Task>, SHARED, device);
    if (status != cudaSuccess) return status;
    return launch_with_shared_memory(single_pass<Task>, blocks, Task::Policy::THREADS, SHARED, stream, task,
                                     n, static_cast<unsigned>(tiles), static_cast<unsigned>(used), words);
}

template <class Task, class N>
cudaError_t queue_pass(const VersionedWords& words, const Device& device, const Task& task, OnDevice<N> n,
                       long long used, cudaStream_t stream) {
    static SharedMemoryLeave leave;
    constexpr std::size_t SHARED = sizeof(PassMemory<Task>);
    const auto kernel = single_pass_on_device<Task, N>;
    const auto blocks = static_cast<unsigned>(
        std::min<long long>(pass_tiles<Task>(n.most), 1LL * device.multiprocessors * RESIDENT_BLOCKS<Task>));
    const cudaError_t status = leave.ask(kernel, SHARED, device);
    if (status != cudaSuccess) return status;
    return launch_with_shared_memory(kernel, blocks, Task::Policy::THREADS, SHARED, stream, task, n,
                                     static_cast<unsigned>(used), words);
}

inline long long most_of(long long n) { return n; }
template <class N>
long long most_of(OnDevice<N> n) {
    return n.most;
}

/// The same, if the memory suffices.
template <class Task, class Length>
cudaError_t run_pass(const Memory& memory, const Task& task, Length length, cudaStream_t stream) {
    const long long n = most_of(length);
    Device device;
    cudaError_t status = Device::current(device);
    if (status != cudaSuccess) return status;
    if (pass_tiles<Task>(n) > static_cast<long long>(Ticket::MAX_NUMBER) / 2) return cudaErrorInvalidValue;
    const long long used = pass_words<Task>(n);
    const std::size_t bytes = CONTROL_BYTES + used * sizeof(VersionedWords::Word);
    status = memory.check(bytes, device.ordinal);
    VersionedWords words;
    if (status == cudaSuccess) status = memory.words(bytes, stream, words);
    if (status != cudaSuccess) return status;
    return queue_pass(words, device, task, length, used, stream);
}

}  // namespace trial
