// Scan in one launch by decoupled look-back, from a seed: for GPUs without bulk copies, and for parts of a
// longer vector.
//
//     block of tile k      load; sum; publish the aggregate; look back; publish the prefix; scan; store
//     tile 0               publishes seed + its sum; later prefixes contain the seed
//
// Only the block that takes tile 0 reads the seed, so it may be written until the kernel starts, by another
// kernel or a copy on the same stream. A seed that does not exist enters no operation. With a seed the
// inclusive form takes 1 + p operations more, where p threads have elements of tile 0. A block takes its tile
// from a ticket when it starts, so every tile that it waits for belongs to a block that has started. Bytes:
// 2 n elements, the statuses of the tiles, and the seed. launches 1, and a memset. Results of inexact
// operators depend on timing.
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002,
// 2016; serial chunks: Dotsenko et al., "Fast scan algorithms on graphics processors", ICS 2008; the seed is
// ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/chain_status.cuh"
#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/index_maps.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/sums_of_warps.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// The exclusive prefix of this thread's warp. `scanned`: the inclusive scan within each warp of the values
/// of threads 0 .. count-1. Called by all THREADS threads; calls must be separated by a block barrier.
template <int THREADS, class T, class Count, class Op>
__device__ Prefix<T> prefix_before_warp(T scanned, Count count, Op op) {
    static_assert(THREADS <= 1024, "one warp scans the sums of all");
    constexpr int SUMS = (THREADS + 31) / 32 - 1;  // no warp needs the sum of the last one
    if constexpr (SUMS == 0) {
        return {scanned, false};
    } else {
        auto& sums = sums_of_warps<SUMS, T, FullTile<THREADS>, Count, Op>();
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        if (warp < SUMS && lane == 31) sums[warp] = scanned;
        __syncthreads();
        if constexpr (SUMS > 1) {
            if (warp == 0) {
                const bool is_whole = lane < SUMS && (lane + 1) * 32 <= count;
                const T sum = scan_warp<SUMS>(is_whole ? sums[lane] : scanned, is_whole, op);
                if (is_whole) sums[lane] = sum;
            }
            __syncthreads();
        }
        return warp == 0 ? Prefix<T>{scanned, false} : Prefix<T>{sums[warp - 1], true};
    }
}

/// Exclusive scan of one value a thread, over threads 0 .. count-1: the inclusive results, shifted up by one
/// lane. Valid in threads 0 .. count-1.
template <int THREADS, class T, class Count, class Op>
__device__ Prefix<T> scan_block_exclusive(T value, Count count, Op op) {
    const bool takes_part = static_cast<int>(threadIdx.x) < count;
    value = scan_warp(value, takes_part, op);
    const Prefix<T> prefix = prefix_before_warp<THREADS>(value, count, op);
    if (takes_part) value = combine(prefix, value, op);
    const T left = shuffle_up(value, 1);
    return threadIdx.x % 32 == 0 ? prefix : Prefix<T>{left, true};
}

/// This thread's chunk: elements [begin, end) of a tile of `count`; empty if begin == end.
template <int ITEMS_PER_THREAD>
struct SerialChunk {
    int begin, end;

    template <class Count>
    __device__ explicit SerialChunk(Count count)
        : begin(min(static_cast<int>(threadIdx.x) * ITEMS_PER_THREAD, static_cast<int>(count))),
          end(min(begin + ITEMS_PER_THREAD, static_cast<int>(count))) {}

    /// Threads of the block whose chunks are not empty.
    template <class Count>
    __device__ static int threads(Count count) {
        return (count + ITEMS_PER_THREAD - 1) / ITEMS_PER_THREAD;
    }

    /// The sum of the chunk; meaningless if the chunk is empty.
    template <class Map, class T, class Op>
    __device__ T reduce(const T* tile, Op op) const {
        T sum = {};
        if (begin < end) sum = tile[Map::at(begin)];
#pragma unroll
        for (int k = 1; k < ITEMS_PER_THREAD; ++k)
            if (begin + k < end) sum = op(sum, tile[Map::at(begin + k)]);
        return sum;
    }

    /// Scan the chunk in place. prefix: its exclusive prefix.
    template <Form FORM, class Map, class T, class Op>
    __device__ void scan(T* tile, Prefix<T> prefix, Op op) const {
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const int i = begin + k;
            if (i >= end) continue;
            if constexpr (FORM == Form::inclusive) {
                prefix = {combine(prefix, tile[Map::at(i)], op), true};
                tile[Map::at(i)] = prefix.value;
            } else {
                const T value = value_or_identity(prefix, op);
                if (i + 1 < end) prefix = {combine(prefix, tile[Map::at(i)], op), true};
                tile[Map::at(i)] = value;
            }
        }
    }
};

/// The exclusive prefix of tile `tile` >= 1, in lane 0. Called by all 32 lanes of a warp.
template <class T, class Op>
__device__ T look_back_from(ChainStatus<T> status, long long tile, Op op) {
    const int lane = threadIdx.x % 32;
    Prefix<T> sum = {{}, false};  // sum of the tiles between the window and ours
    for (long long window = tile - 1;; window -= 32) {
        const long long mine = window - lane;
        T value = {};
        unsigned prefixes = 0, needed = 0, missing = 0;
        do {
            const ChainState state = mine < 0 ? ChainState::empty : status.read(mine, value);
            prefixes = __ballot_sync(ALL_LANES, state == ChainState::prefix);
            missing = __ballot_sync(ALL_LANES, state == ChainState::empty);
            needed = prefixes == 0 ? ALL_LANES : prefixes ^ (prefixes - 1);  // lanes up to the nearest prefix
        } while ((missing & needed) != 0);

        const int last = 31 - __clz(needed);
        for (int delta = 1; delta < 32; delta *= 2) {  // higher lanes hold lower tiles
            const T lower = shuffle_down(value, delta);
            if (lane + delta <= last) value = op(lower, value);
        }
        if (lane == 0) sum = {sum.exists ? op(value, sum.value) : value, true};
        if (prefixes != 0) return sum.value;
    }
}

/// out: n elements, the scan of seed.load_seed(), if it exists, and then in, which out may be. Only the block
/// of tile 0 asks for the seed. ticket and the words of status are 0 at the start. Grid: ceil_div(n,
/// ITEMS_PER_THREAD * THREADS) blocks of THREADS threads.
template <Form FORM, int ITEMS_PER_THREAD, int THREADS, class T, class Op, class Seed>
__global__ void __launch_bounds__(THREADS)
    scan_look_back_seeded(const T* in, T* out, long long n, ChainStatus<T> status, unsigned long long* ticket,
                          Op op, Seed seed) {
    static_assert(THREADS % 32 == 0, "a whole warp looks back");
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    using Map = Plain;  // ITEMS is odd: no bank conflicts for 4-byte elements
    __shared__ T tile[Map::size(TILE)];
    __shared__ T sum, prefix;
    __shared__ bool has_prefix;
    __shared__ long long ticket_of_block;

    if (threadIdx.x == 0) ticket_of_block = static_cast<long long>(atomicAdd(ticket, 1ull));
    __syncthreads();
    const long long number = ticket_of_block;
    const long long base = number * TILE;
    const int count = static_cast<int>(min(static_cast<long long>(TILE), n - base));
    load_tile<TILE, THREADS, Map>(tile, in + base, count);

    const SerialChunk<ITEMS_PER_THREAD> rake(count);
    const T own = rake.template reduce<Map>(tile, op);
    const Prefix<T> within = scan_block_exclusive<THREADS>(own, rake.threads(count), op);
    if (rake.end == count && rake.begin < count) sum = combine(within, own, op);
    __syncthreads();

    if (threadIdx.x < 32) {
        const bool is_first = threadIdx.x == 0;
        const T total = sum;
        Prefix<T> before = {{}, number > 0};
        if (number == 0 && is_first) before = seed.load_seed();
        if (is_first && before.exists && number == 0)
            status.write(number, ChainState::prefix, op(before.value, total));
        else if (is_first)
            status.write(number, number == 0 ? ChainState::prefix : ChainState::aggregate, total);
        if (number > 0) {
            before.value = look_back_from(status, number, op);
            if (is_first) status.write(number, ChainState::prefix, op(before.value, total));
        }
        if (is_first) {
            prefix = before.value;
            has_prefix = before.exists;
        }
    }
    __syncthreads();

    if (rake.begin < rake.end) {
        const Prefix<T> before = {prefix, has_prefix};
        rake.template scan<FORM, Map>(tile, combine(before, within, op), op);
    }
    __syncthreads();
    store_tile<TILE, THREADS, Map>(tile, out + base, count);
}

/// Items per thread: odd, and a tile of 256 threads takes 15 KiB at most.
template <class T>
constexpr int seeded_look_back_items() {
    return sizeof(T) <= 4 ? 15 : sizeof(T) <= 8 ? 7 : 3;
}

}  // namespace trial
