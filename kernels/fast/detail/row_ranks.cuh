// Ranks of a warp's selected elements by rows: how many are selected before each lane's unit of each row.
//
//     4 lanes for 32, ROWS = 2, units of 2 elements; selected: x
//     row 0        x-   --   xx   -x        counts   1 0 2 1
//     row 1        xx   x-   --   xx                 2 1 0 2
//     packed                                         1|2  0|1  2|0  1|2       a field a row
//     scanned      Kogge-Stone, by one shuffle a step for all fields
//     before       row 0: 0 1 1 3, row 1: 4 6 7 7                             4 = selected in row 0
//
// A shuffle scan of 5 steps serves 4 rows, or 2 where a row may have 256 selected elements or more: an eighth
// of the ballots and population counts that as many elements would take. Source: several counts in one
// register: Ha, Krueger and Silva, "Fast four-way parallel radix sorting on GPUs", Computer Graphics Forum
// 28(8), 2009.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/operators.cuh"
#include "kernels/shuffle.cuh"

namespace trial {

/// counts[k]: selected elements of this lane's unit of row k, of PER_UNIT elements. before[k]: those of the
/// warp before the unit. Returns those of all rows. Called by all lanes of a warp.
template <int PER_UNIT, int ROWS>
__device__ unsigned rank_rows(const unsigned (&counts)[ROWS], unsigned (&before)[ROWS]) {
    constexpr int BITS = 32 * PER_UNIT < 256 ? 8 : 16,
                  FIELDS = 32 / BITS;  // a field holds the count of a row
    constexpr unsigned FIELD = (1u << BITS) - 1;
    unsigned selected = 0;
#pragma unroll
    for (int begin = 0; begin < ROWS; begin += FIELDS) {
        unsigned packed = 0;
#pragma unroll
        for (int k = begin; k < ROWS && k < begin + FIELDS; ++k) packed |= counts[k] << BITS * (k - begin);
        const unsigned inclusive = scan_warp(packed, true, Sum<unsigned>{});
        const unsigned of_rows = __shfl_sync(ALL_LANES, inclusive, 31), exclusive = inclusive - packed;
#pragma unroll
        for (int k = begin; k < ROWS && k < begin + FIELDS; ++k) {
            before[k] = selected + (exclusive >> BITS * (k - begin) & FIELD);
            selected += of_rows >> BITS * (k - begin) & FIELD;
        }
    }
    return selected;
}

}  // namespace trial
