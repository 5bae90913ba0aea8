// Inclusive scan of the lanes of a warp in registers, Kogge-Stone: log2 LANES steps of one shuffle of a
// value. Source: Kogge and Stone, "A parallel algorithm for the efficient solution of a general class of
// recurrence equations", IEEE ToC C-22(8), 1973.
#pragma once
#include <cuda_runtime.h>

#include "kernels/shuffle.cuh"

namespace trial {

/// Inclusive scan of the values of the participating lanes: the lowest ones, at most LANES, a power of two.
/// Called by all lanes of the warp; the result is meaningless in the others.
template <int LANES = 32, class T, class Op>
__device__ T scan_warp(T value, bool takes_part, Op op) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int delta = 1; delta < LANES; delta *= 2) {
        const T left = shuffle_up(value, delta);
        if (takes_part && lane >= delta) value = op(left, value);
    }
    return value;
}

}  // namespace trial
