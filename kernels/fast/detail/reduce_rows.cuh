// Reduction of rows of a warp, in their order: vector halving, distance doubling.
//
//     lane               0     1     2     3                     ROWS = 4, of 4 lanes here for 32
//     rows held         abcd  abcd  abcd  abcd
//     distance 1        a_c_  _b_d  a_c_  _b_d                   lanes 0+1, 2+3: each gives half of its rows
//     distance 2        a___  _b__  __c_  ___d                   lanes 0..3
//     then              a+b   a+b   c+d   c+d                    rows of neighbours,
//                       a..d  a..d  a..d  a..d                   and so on: to all lanes
//
// Lane by lane it would take 5 shuffles a row. Here a lane gives away half of its rows in a step, until it
// holds but one, and two neighbours that meet always hold what is next to each other: no operator needs to
// commute. Of a lane, for R = ROWS: R - 1 + (5 - log2 R) + log2 R = R + 4 operations and as many shuffles of
// a value, against 6 R - 1 of both. Source: Rabenseifner, "Optimization of collective reduction operations",
// ICCS 2004.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"

/// Two neighbouring values, the other one in the lane at this distance, a power of two; without the right
/// one, if there is none.
template <class T, class Op>
__device__ T join_lanes(T mine, T other, int distance, bool right_exists, Op op) {
    const bool upper = (threadIdx.x & distance) != 0;
    const T left = upper ? other : mine, right = upper ? mine : other;
    return right_exists ? op(left, right) : left;
}

/// What the first `count` of 32 ROWS values add up to, to all lanes: values[k] of lane l is number 32 k + l.
/// 1 <= count; ROWS: a power of two, at most 32. Called by all lanes of a warp.
template <int ROWS, class T, class Count, class Op>
__device__ T reduce_rows(T (&values)[ROWS], Count count, Op op) {
    static_assert(ROWS <= 32 && (ROWS & (ROWS - 1)) == 0, "half of the rows, and half of those ..");
    constexpr bool all = std::is_same_v<Count, FullTile<32 * ROWS>>;
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const int lanes = 2 * distance, rows = lanes < ROWS ? lanes : ROWS;  // every rows-th row is held then
        const int right_lane = lane / lanes * lanes + distance;
#pragma unroll
        for (int k = 0; k < ROWS / rows; ++k) {
            T mine = values[k], given = values[k];
            if (distance < ROWS) {
                const bool upper = (lane & distance) != 0;
                mine = upper ? values[2 * k + 1] : values[2 * k];
                given = upper ? values[2 * k] : values[2 * k + 1];
            }
            const int row = k * rows + lane % rows;
            values[k] = join_lanes(mine, shuffle_xor(given, distance), distance,
                                   all || 32 * row + right_lane < count, op);
        }
    }
#pragma unroll
    for (int distance = 1; distance < ROWS; distance *= 2) {
        const int right_row = lane % ROWS / (2 * distance) * (2 * distance) + distance;
        values[0] = join_lanes(values[0], shuffle_xor(values[0], distance), distance,
                               all || 32 * right_row < count, op);
    }
    return values[0];
}
