// Ranks of the digits of a tile: the place of each element when the tile is stably sorted by digit.
//
//     warp               0                 1             4 lanes drawn for 32, ITEMS = 1
//     digits         2  0  2  1        0  2  0  2
//     in its warp    0  0  1  0        0  0  1  1        one ballot a bit finds the lanes of the same digit
//
//     counts         warp 0  warp 1                      digit-major, then by warp
//     digit 0           1       2                        exclusive scan  ->    0   1
//     digit 1           1       0                                              3   4
//     digit 2           2       2                                              4   6
//
//     place          4  0  5  3        1  6  2  7        scan of (digit, warp) + rank in the warp
//
// The warps of a tile are treated as a radix sort treats the tiles of a vector: count, scan in digit-major
// order, add the rank within the warp. The scan adds up each digit's warps serially, and scans the digits by
// Hillis-Steele. n = ITEMS THREADS elements, R = 2^DIGIT_BITS digits, W warps: (DIGIT_BITS + 1) n / 32
// ballots, depth W + log2 R, barriers 3 + 2 log2 R, or 3 if R = 2. Source: Satish, Harris and Garland,
// "Designing efficient sorting algorithms for manycore GPUs", IPDPS 2009; ranks in a warp by ballots:
// Ashkiani et al., "GPU multisplit", PPoPP 2016.
#pragma once
#include <cuda_runtime.h>

#include "kernels/index_maps.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/rank_flags.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Mask of the participating lanes that have this lane's digit. Called by all lanes of the warp.
template <int DIGIT_BITS>
__device__ unsigned lanes_of_same_digit(int digit, bool takes_part) {
    unsigned lanes = __ballot_sync(ALL_LANES, takes_part);
#pragma unroll
    for (int bit = 0; bit < DIGIT_BITS; ++bit) {
        const bool set = digit >> bit & 1;
        const unsigned set_lanes = __ballot_sync(ALL_LANES, set);
        lanes &= set ? set_lanes : ~set_lanes;
    }
    return lanes;
}

template <int DIGIT_BITS, int ITEMS_PER_THREAD, int THREADS>
class RankDigits {
   public:
    static constexpr int RADIX = 1 << DIGIT_BITS, WARPS = THREADS / 32;
    static_assert(THREADS % 32 == 0 && RADIX <= THREADS, "a thread a digit, whole warps");

    /// The index in the tile of this thread's k-th element. Elements of a warp are consecutive.
    __device__ static int index(int k) {
        return (threadIdx.x / 32 * ITEMS_PER_THREAD + k) * 32 + threadIdx.x % 32;
    }

    /// In shared memory.
    struct Storage {
        int warp_counts[WARPS][RADIX];  // elements of each digit; finally, their exclusive prefix
        int begins[RADIX + 1];  // where each digit begins in the sorted tile; the last entry is unused
    };

    /// place[k]: the place of element index(k), if it is one of the tile's first `count`. Called by all
    /// THREADS threads of the block.
    __device__ static void rank(Storage& storage, const int (&digit)[ITEMS_PER_THREAD], int count,
                                int (&place)[ITEMS_PER_THREAD]) {
        for (int i = threadIdx.x; i < WARPS * RADIX; i += THREADS) (&storage.warp_counts[0][0])[i] = 0;
        __syncthreads();
        rank_in_warp(storage.warp_counts[threadIdx.x / 32], digit, count, place);
        __syncthreads();

        if (threadIdx.x == 0) storage.begins[0] = 0;
        if (threadIdx.x < RADIX) {
            int sum = 0;
            for (int warp = 0; warp < WARPS; ++warp) {
                const int own = storage.warp_counts[warp][threadIdx.x];
                storage.warp_counts[warp][threadIdx.x] = sum;
                sum += own;
            }
            storage.begins[threadIdx.x + 1] = sum;
        }
        __syncthreads();
        if constexpr (RADIX > 2)  // with two digits no scan is needed
            HillisSteele::scan<RADIX, THREADS, Plain>(storage.begins + 1, FullTile<RADIX>{}, Sum<int>{});

#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k)
            if (index(k) < count)
                place[k] += storage.begins[digit[k]] + storage.warp_counts[threadIdx.x / 32][digit[k]];
    }

   private:
    /// rank[k]: elements of the same digit before it in its warp. counts: elements of each digit in the warp,
    /// 0 on entry.
    __device__ static void rank_in_warp(int* counts, const int (&digit)[ITEMS_PER_THREAD], int count,
                                        int (&rank)[ITEMS_PER_THREAD]) {
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const bool takes_part = index(k) < count;
            const unsigned same = lanes_of_same_digit<DIGIT_BITS>(digit[k], takes_part);
            const unsigned lower = same & lane_mask_lt();
            if (takes_part) rank[k] = counts[digit[k]] + __popc(lower);
            __syncwarp();
            if (takes_part && lower == 0) counts[digit[k]] = rank[k] + __popc(same);  // the lowest such lane
            __syncwarp();
        }
    }
};

}  // namespace trial
