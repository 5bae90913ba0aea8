// Reduction of rows in registers by additions: each lane adds up what it holds of a segment; lanes that hold
// sums of several segments exchange halves of them, then all lanes add up by butterflies.
//
//     lane 0: a0 b0 c0 d0      lane 0: a02 b02       lane 0: a        a .. d: the sums of four tiles
//     lane 1: a1 b1 c1 d1      lane 1: a13 b13       lane 1: b
//     lane 2: a2 b2 c2 d2      lane 2: c02 d02       lane 2: c
//     lane 3: a3 b3 c3 d3      lane 3: c13 d13       lane 3: d
//
// Eight rows, 1,024 elements, by a warp. Shuffles: in segments of 16, 6 (halving of eight sums by four
// lanes); of 256, 3 and 3; of 1,024, 5. Butterflies of each sum by itself would be 16, 20 and 5. Work n -
// 1 a segment but for the butterflies, in which all lanes add. Source: Rabenseifner, "Optimization of
// collective reduction operations", ICCS 2004 (recursive halving); Harris 2007.
#pragma once
#include <cuda_runtime.h>

#include "kernels/operators.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/warp/rows.cuh"

namespace trial {

/// Of sums[0 .. 2 HALF - 1] the lanes with bit `mask` keep the upper half, others the lower, added to
/// those of lane XOR mask.
template <int HALF>
__device__ void keep_half(float* sums, int mask) {
    const Sum<float> op;
    const bool upper = (threadIdx.x & mask) != 0;
#pragma unroll
    for (int k = 0; k < HALF; ++k) {
        const float low = sums[k], high = sums[HALF + k];
        const float kept = upper ? high : low, given = upper ? low : high;
        sums[k] = op(kept, shuffle_xor(given, mask));
    }
}

/// Reduce every segment of a warp's rows; the sums lie as store_sums() takes them. Called by all lanes of
/// the warp.
template <class T, int SEGMENT>
__device__ void reduce_by_shuffles(const T (&x)[ROWS][4], float (&sums)[2]) {
    static_assert(SEGMENT == 16 || SEGMENT == 256 || SEGMENT == ROWS_ELEMENTS);
    constexpr int ROWS_OF_SEGMENT = SEGMENT == 16 ? 1 : SEGMENT / ROW, SUMS = ROWS / ROWS_OF_SEGMENT;
    const Sum<float> op;
    float mine[SUMS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const bool begins = r % ROWS_OF_SEGMENT == 0 && k == 0;
            const float value = float(x[r][k]);
            mine[r / ROWS_OF_SEGMENT] = begins ? value : op(mine[r / ROWS_OF_SEGMENT], value);
        }
    if constexpr (SUMS > 1) {
        keep_half<SUMS / 2>(mine, 2);
        keep_half<SUMS / 4>(mine, 1);
    }
    sums[0] = mine[0];
    sums[1] = mine[SEGMENT == 16 ? 1 : 0];
    if constexpr (SEGMENT > 16)
#pragma unroll
        for (int mask = SUMS > 1 ? 4 : 1; mask < 32; mask *= 2)
            sums[0] = op(sums[0], shuffle_xor(sums[0], mask));
}

}  // namespace trial
