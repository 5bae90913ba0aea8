// Ranks of the set flags of a tile: for each element, the number of set flags before it.
//
//     warp                 0               1               0               1         8 lanes drawn for 32
//     flags        1 0 1 1 0 0 0 1 1 1 0 0 1 0 0 0 0 0 1 1 0 1 1 0 1 0 0 1 1 1 1 1   ITEMS = 2
//     in its row   0   1 2       3 0 1     2           0 1   2 3   0     1 2 3 4 5   ballot and popcount
//     row count           4               3               4               6
//     their scan          0               4               7              11          17 in total
//     rank         0   1 2       3 4 5     6           7 8   9 10  11   12 13 14 ..
//
// A row is 32 consecutive elements, one for each lane of a warp: element k THREADS + t is the k-th of thread
// t. A warp ranks a row with a ballot and a popcount and no shared memory; only one count a row is scanned.
// n = ITEMS THREADS flags, rows = n / 32: n / 32 ballots; work rows log2 rows - (rows - 1), by Hillis-Steele;
// barriers 1 + 2 log2 rows.
// Source: Harris and Garland, "Optimizing parallel prefix operations for the Fermi architecture", GPU
// Computing Gems, Jade Edition, chapter 3, 2012: binary prefix sums.
#pragma once
#include <cuda_runtime.h>

#include "kernels/index_maps.cuh"
#include "kernels/operators.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Mask of the lanes below this one, as PTX %lanemask_lt.
__device__ inline unsigned lane_mask_lt() { return (1u << threadIdx.x % 32) - 1; }

template <int ITEMS_PER_THREAD, int THREADS>
struct RankFlags {
    static_assert(THREADS % 32 == 0, "rows are whole warps");
    static constexpr int ROWS = ITEMS_PER_THREAD * THREADS / 32;

    /// rank[k]: set flags before element k THREADS + t, whether or not its own flag is set. Returns the
    /// number of set flags of the tile to every thread. rows: ROWS ints of shared memory, reusable after a
    /// barrier. Called by all THREADS threads of the block.
    __device__ static int rank(int* rows, const bool (&flag)[ITEMS_PER_THREAD],
                               int (&rank)[ITEMS_PER_THREAD]) {
        const int first_row = threadIdx.x / 32;
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const unsigned set = __ballot_sync(ALL_LANES, flag[k]);
            rank[k] = __popc(set & lane_mask_lt());
            if (threadIdx.x % 32 == 0) rows[k * (THREADS / 32) + first_row] = __popc(set);
        }
        __syncthreads();
        HillisSteele::scan<ROWS, THREADS, Plain>(rows, FullTile<ROWS>{}, Sum<int>{});
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const int row = k * (THREADS / 32) + first_row;
            if (row > 0) rank[k] += rows[row - 1];
        }
        return rows[ROWS - 1];
    }
};

/// element[k] = in[first + k THREADS + t], as far as it lies before n, and whether the predicate selects it.
/// Called by all THREADS threads of a block.
template <int THREADS, int ITEMS_PER_THREAD, class T, class Predicate>
__device__ void load_and_test(const T* in, long long first, long long n, Predicate keep,
                              T (&element)[ITEMS_PER_THREAD], bool (&selected)[ITEMS_PER_THREAD]) {
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const long long i = first + k * THREADS + threadIdx.x;
        selected[k] = false;
        if (i < n) {
            element[k] = in[i];
            selected[k] = keep(element[k]);
        }
    }
}

}  // namespace trial
