// Kogge-Stone scan of a block, one element a thread, in registers: each warp scans its elements, one warp
// scans the sums of the warps, and each lane adds the exclusive prefix of its warp.
//
//     warp 0            warp 1            warp 2            warp 3
//     | scan .. s0 |    | scan .. s1 |    | scan .. s2 |    | scan ..... |
//               \________________ \_______________ |
//     warp 0:    s0               s0+s1           s0+s1+s2      scan of the sums, in shared memory
//     | .......... |    | + s0 ..... |    | + s0+s1 .. |    | + s0+s1+s2 |
//
// n = TILE = 32 w elements, k = ceil(log2(w - 1)): work 129 w + (w - 1) k - (2^k - 1) + 32 (w - 1), depth
// 6 + k, 2 barriers around the scan of the sums; shared memory holds w values, without bank conflicts. The
// exclusive form shifts the results up by one lane. Source: Sengupta, Harris and Garland, "Efficient parallel
// scan algorithms for GPUs", NVR-2008-003, 2008; the warp scan: textbook/warp/scan_kogge_stone.
#pragma once
#include <cuda_runtime.h>

#include "kernels/prefix.cuh"
#include "kernels/sums_of_warps.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// The exclusive prefix of this thread's warp. `scanned`: the inclusive scan within each warp of the values
/// of threads 0 .. count-1. Called by all THREADS threads; calls must be separated by a block barrier.
template <int THREADS, class T, class Count, class Op>
__device__ Prefix<T> prefix_of_warp(T scanned, Count count, Op op) {
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
                const T sum = warp_scan<SUMS>(is_whole ? sums[lane] : scanned, is_whole, op);
                if (is_whole) sums[lane] = sum;
            }
            __syncthreads();
        }
        return warp == 0 ? Prefix<T>{scanned, false} : Prefix<T>{sums[warp - 1], true};
    }
}

/// Inclusive scan of one value a thread, over threads 0 .. count-1. Called by all THREADS threads.
template <int THREADS, class T, class Count, class Op>
__device__ T inclusive_block_scan(T value, Count count, Op op) {
    const bool takes_part = static_cast<int>(threadIdx.x) < count;
    value = warp_scan(value, takes_part, op);
    const Prefix<T> prefix = prefix_of_warp<THREADS>(value, count, op);
    return takes_part ? combine(prefix, value, op) : value;
}

/// Exclusive scan: the inclusive results, shifted up by one lane. Valid in threads 0 .. count-1.
template <int THREADS, class T, class Count, class Op>
__device__ Prefix<T> exclusive_block_scan(T value, Count count, Op op) {
    const bool takes_part = static_cast<int>(threadIdx.x) < count;
    value = warp_scan(value, takes_part, op);
    const Prefix<T> prefix = prefix_of_warp<THREADS>(value, count, op);
    if (takes_part) value = combine(prefix, value, op);
    const T left = shuffle_up(value, 1);
    return threadIdx.x % 32 == 0 ? prefix : Prefix<T>{left, true};
}

template <Form FORM = Form::inclusive>
struct KoggeStone {
    static constexpr bool inclusive = FORM == Form::inclusive;
    __host__ __device__ static constexpr int threads(int tile) { return tile; }

    /// Scan tile[Map::at(0 .. count-1)] in place, count <= TILE <= 1024 (an int, or FullTile<TILE>). Called
    /// by all THREADS >= TILE threads of the block after a barrier; the result may be read after it without
    /// another one.
    template <int TILE, int THREADS, class Map, class T, class Count, class Op>
    __device__ static void scan(T* tile, Count count, Op op) {
        static_assert(THREADS >= TILE, "one thread an element");
        const int t = threadIdx.x;
        T value = {};
        if (t < count) value = tile[Map::at(t)];
        if constexpr (inclusive) {
            value = inclusive_block_scan<THREADS>(value, count, op);
        } else {
            value = value_or_identity(exclusive_block_scan<THREADS>(value, count, op), op);
        }
        if (t < count) tile[Map::at(t)] = value;
        __syncthreads();
    }
};

}  // namespace trial
