// Totals of the segments of a long vector: no tile waits for another.
//
//     launch 1   a block a tile      totals of the segments that begin and end in it; publishes
//                                        sum    elements since the last flag
//                                        head   of the segment that began before: its elements in the tile
//     launch 2   fast/detail/        scan by flags of the sums of tiles; what is before a tile completes
//                single_pass         the total of its head
//
//     tile          0            1            2            3
//     segments    | a a b b b  | b b b b b  | b c c d d  | d d d d d |
//     sum           b b b        b b b b b    d d          ..
//     head          -            -            b            d
//
// Work: 2 n, and 2 a tile. Bytes: elements and offsets read once, results written once, 2 values a tile
// written and read. launches 2. Worth it where tiles are many: the second launch costs as much as a few
// waits.
// Source: Sengupta, Harris, Zhang and Owens, "Scan primitives for GPU computing", Graphics Hardware 2007
// (segmented scan by tiles and a scan of their sums).
#pragma once
#include <cuda_runtime.h>

#include <climits>
#include <cstdint>

#include "kernels/fast/detail/scan_tasks.cuh"
#include "kernels/fast/detail/single_pass.cuh"

namespace trial {

template <class V>
struct HeadOfTile {
    V value;
    long long segment;  ///< -1: none
};

/// What launch 1 leaves to launch 2, as versioned words, so that no later call mistakes them for its own.
template <class V>
struct TotalsOfTiles {
    using Sum = Versioned<SinceFlag<V>>;
    using Head = Versioned<HeadOfTile<V>>;
    unsigned long long* sums;
    unsigned long long* heads;

    static long long words(long long tiles) { return tiles * (Sum::WORDS + Head::WORDS) + 1; }
    /// first: where its words begin.
    TotalsOfTiles(unsigned long long* first, long long tiles)
        : sums(first + reinterpret_cast<std::uintptr_t>(first) / 8 % 2), heads(sums + tiles * Sum::WORDS) {}

    __device__ void write(unsigned tile, unsigned version, const SinceFlag<V>& sum) const {
        Sum::store(sums + tile * Sum::WORDS, version, sum);
    }
    __device__ void write(unsigned tile, unsigned version, const HeadOfTile<V>& head) const {
        Head::store(heads + tile * Head::WORDS, version, head);
    }
    __device__ SinceFlag<V> sum(long long tile) const { return any_version<SinceFlag<V>>(sums, tile); }
    __device__ HeadOfTile<V> head(long long tile) const { return any_version<HeadOfTile<V>>(heads, tile); }

   private:
    template <class T>
    __device__ static T any_version(const unsigned long long* values, long long number) {
        T value;
        const auto words = Versioned<T>::load(values + number * Versioned<T>::WORDS);
        Versioned<T>::holds(words, 0, value);
        return value;
    }
};

/// The sums of tiles, as an iterator.
template <class V>
struct SumsToScan {
    using value_type = SinceFlag<V>;
    TotalsOfTiles<V> totals;
    __device__ SinceFlag<V> operator[](long long tile) const { return totals.sum(tile); }
};

/// Where the exclusive scan of the sums goes: out[s] = what is before a tile op the head of s in it.
template <class Out, class V, class Op>
struct CompletedHeads {
    TotalsOfTiles<V> totals;
    Out out;
    Op op;
    struct Place {
        const CompletedHeads& to;
        long long tile;
        __device__ void operator=(const SinceFlag<V>& before) const {
            const HeadOfTile<V> head = to.totals.head(tile);
            if (head.segment >= 0) to.out[head.segment] = to.op(before.value, head.value);
        }
    };
    __device__ Place operator[](long long tile) const { return {*this, tile}; }
};

/// Launch 1. Grid: a block a tile. Dynamic shared memory: PassMemory.
template <class Task, class Totals>
__global__ void __launch_bounds__(Task::Policy::THREADS, RESIDENT_BLOCKS<Task>)
    total_tiles(const __grid_constant__ Task task, long long n, Totals totals,
                const unsigned long long* control) {
    using V = decltype(Task::Sum::value);
    constexpr int THREADS = Task::Policy::THREADS, TILE = Task::ITEMS * THREADS;
    extern __shared__ __align__(128) char memory[];
    auto& shared = *reinterpret_cast<PassMemory<Task>*>(memory);
    const unsigned tile = blockIdx.x, version = Ticket{load_relaxed(control)}.version();
    const long long base = static_cast<long long>(tile) * TILE;
    const int count = static_cast<int>(min(static_cast<long long>(TILE), n - base));

    typename Task::Columns columns;
    auto& space = shared.space;
    columns.load(task, space, base, count);
    columns.put(space);
    wait_for_copies();
    __syncthreads();
    typename Task::Mine mine(task, space, base, count);
    const auto [of_tile, within] = add_up(task, mine.sum(task, space, count), count, shared.sums);
    if (threadIdx.x == 0) totals.write(tile, version, of_tile);
    mine.finish(task, space, {{}, false}, within, base, count, false);
    __syncthreads();
    task.to.template store_from<THREADS>(space.flags.first, task.flags, space.items, base, count);
    if (threadIdx.x != 0) return;
    HeadOfTile<V> head = {{}, -1};
    if (space.flags.first > 0) {
        const long long end = static_cast<long long>(task.flags.offsets[space.flags.first]);
        if (end > base && end <= base + count) head = {space.items[end - base], space.flags.first - 1};
    }
    totals.write(tile, version, head);
}

/// The totals of a task of few enough tiles in one pass, of more in two launches.
template <class Task>
struct SegmentTotals {
    using V = decltype(Task::Sum::value);
    using Op = decltype(Task::op);
    using Out = decltype(Task::to.out);
    using Scan = ScanTask<IteratorPass<SinceFlag<V>>, Form::exclusive, SumsToScan<V>,
                          CompletedHeads<Out, V, Op>, SinceFlag<V>, CombineSinceFlag<Op>>;
    static constexpr int LONG = 4;  ///< rounds of resident blocks

    static bool in_two(long long tiles, const Device& device) {
        return tiles >= 1LL * LONG * device.multiprocessors * RESIDENT_BLOCKS<Task>;
    }
    static long long words_of_scan(long long tiles) { return pass_words<Scan>(tiles); }
    static std::size_t bytes(long long tiles) {
        return CONTROL_BYTES +
               (words_of_scan(tiles) + TotalsOfTiles<V>::words(tiles)) * sizeof(VersionedWords::Word);
    }

    static cudaError_t run(const Memory& memory, const Task& task, long long n, cudaStream_t stream) {
        static SharedMemoryLeave leave;
        constexpr std::size_t SHARED = sizeof(PassMemory<Task>);
        Device device;
        cudaError_t status = Device::current(device);
        if (status != cudaSuccess) return status;
        const long long tiles = pass_tiles<Task>(n);
        if (!in_two(tiles, device)) return run_pass(memory, task, n, stream);
        if (tiles > INT_MAX) return cudaErrorInvalidValue;
        status = memory.check(bytes(tiles), device.ordinal);
        if (status == cudaSuccess) status = leave.ask(total_tiles<Task, TotalsOfTiles<V>>, SHARED, device);
        VersionedWords words;
        if (status == cudaSuccess) status = memory.words(bytes(tiles), stream, words);
        if (status != cudaSuccess) return status;
        const TotalsOfTiles<V> totals(words.words + words_of_scan(tiles), tiles);
        status = launch_with_shared_memory(total_tiles<Task, TotalsOfTiles<V>>, static_cast<unsigned>(tiles),
                                           Task::Policy::THREADS, SHARED, stream, task, n, totals,
                                           static_cast<const unsigned long long*>(words.control));
        if (status != cudaSuccess) return status;
        const Scan scan = {{totals}, {totals, task.to.out, task.op}, {task.op}, {{}, false}, nullptr};
        return queue_pass(words, device, scan, tiles, words_of_scan(tiles) + TotalsOfTiles<V>::words(tiles),
                          stream);
    }
};

}  // namespace trial
