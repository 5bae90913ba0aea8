// Scan of rows in registers by additions: each lane adds up its four neighbours, the lanes scan these sums
// by shuffles, and each lane scans its four from there: raking, with Kogge-Stone between the lanes.
//
//     x0  x1  x2  x3 | x4  x5  x6  x7 | ..        lane 0 | lane 1 | ..
//     0   01  02  03 | 4   45  46  47 | ..        serial scans
//                 03 |             07 | ..        Kogge-Stone of the sums, textbook/warp/scan_kogge_stone
//     0   01  02  03 | 04  05  06  07 | ..        the prefix of the lane before is added
//
// Inclusive. Work of 1,024 elements: 1,664 in segments of 16, 2,812 of 256, 3,013 of 1,024. Eight rows,
// 1,024 elements, by a warp, in segments of 16 (four lanes), 256 (two rows) or 1,024. Shuffles of 1,024
// elements: 24 in segments of 16, 3 a row; 6 a row in longer ones, and one for each total that is carried
// on to the next row: 52 and 55. Source: Dotsenko et al., "Fast scan algorithms on graphics processors",
// ICS 2008; Harris and Garland, "Optimizing parallel prefix operations for the Fermi architecture", 2012.
#pragma once
#include <cuda_runtime.h>

#include "kernels/operators.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/warp/rows.cuh"

namespace trial {

/// Scan every segment of a warp's rows. Called by all lanes of the warp.
template <class T, int SEGMENT>
__device__ void scan_by_shuffles(const T (&x)[ROWS][4], float (&y)[ROWS][4]) {
    static_assert(SEGMENT == 16 || SEGMENT == 256 || SEGMENT == ROWS_ELEMENTS);
    constexpr int LANES = SEGMENT == 16 ? 4 : 32, ROWS_OF_SEGMENT = SEGMENT == 16 ? 1 : SEGMENT / ROW;
    const int lane = threadIdx.x % LANES;
    const Sum<float> op;
    float carry = 0;  // the last element of the row before
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const bool begins = r % ROWS_OF_SEGMENT == 0, ends = (r + 1) % ROWS_OF_SEGMENT == 0;
        float scanned[4] = {float(x[r][0])};
#pragma unroll
        for (int k = 1; k < 4; ++k) scanned[k] = op(scanned[k - 1], float(x[r][k]));
        float sum = scanned[3];
#pragma unroll
        for (int delta = 1; delta < LANES; delta *= 2) {
            const float left = shuffle_up(sum, delta);
            if (lane >= delta) sum = op(left, sum);
        }
        const float left = shuffle_up(sum, 1);
        const bool has_left = lane > 0;
        const float prefix = begins ? left : op(carry, has_left ? left : 0);
#pragma unroll
        for (int k = 0; k < 3; ++k) y[r][k] = begins && !has_left ? scanned[k] : op(prefix, scanned[k]);
        y[r][3] = begins ? sum : op(carry, sum);
        if (!ends) carry = shuffle_from(y[r][3], 31);
    }
}

}  // namespace trial
