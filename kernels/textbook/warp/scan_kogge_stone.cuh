// Kogge-Stone scan of a warp: the dataflow of Hillis-Steele, in registers and with shuffles between lanes.
//
//     x0    x1    x2    x3    x4    x5    x6    x7
//      | \   | \   | \   | \   | \   | \   | \   |      delta 1
//      0    01    12    23    34    45    56    67
//      | \__ | \__ | \__ | \__ | \__ | \__ |     |      delta 2
//      0    01    02    03    14    25    36    47
//      |     |     |     |  \______ and so on           delta 4
//
// Inclusive. n = LANES: work n log2 n - (n - 1), depth log2 n; no shared memory, no barriers, and
// ceil(bytes of T / 4) log2 n shuffles.
// Source: Kogge and Stone, "A parallel algorithm for the efficient solution of a general class of recurrence
// equations", IEEE ToC C-22(8), 1973; with shuffles: Harris and Garland, "Optimizing parallel prefix
// operations for the Fermi architecture", GPU Computing Gems, Jade Edition, chapter 3, 2012.
#pragma once
#include <cuda_runtime.h>

#include "kernels/shuffle.cuh"

namespace trial {

/// Inclusive scan of the values of the participating lanes: the lowest ones, at most LANES, a power of two.
/// Called by all lanes of the warp; the result is meaningless in the others.
template <int LANES = 32, class T, class Op>
__device__ T warp_scan(T value, bool takes_part, Op op) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int delta = 1; delta < LANES; delta *= 2) {
        const T left = shuffle_up(value, delta);
        if (takes_part && lane >= delta) value = op(left, value);
    }
    return value;
}

}  // namespace trial
