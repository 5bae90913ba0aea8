// Reduction by products with a matrix of ones: a tile of 256 elements is a matrix A of 16 rows of 16.
//
//     | x0  x1  x2 .. |   | 1 1 .. |     | x0 + .. + x15   ..  |
//     | x16 x17 ..    | x | 1 1 .. |  =  | x16 + .. + x31  ..  |    every column: the sums of the rows
//     | ..            |   | 1 1 .. |     | ..                  |
//
// Four tiles, 1,024 elements, by a warp, in segments of 16 (a row), 256 (a tile) or 1,024, whose tiles are
// added up by the accumulator. The 16 sums of a tile's rows are floats: they are added up by one addition
// and 3 shuffles, of four tiles at once, as a second product would have to split them.
//
// Instructions (mma.sync) of 1,024 elements, for p parts and s steps of the format: 4 p s. Halves: 4;
// tf32: 8; two parts of tf32: 16; three of bfloat16: 12. Every column is the same: one sum in eight is of
// use.
//
// An element that is infinite or NaN makes the sum of its segment so, and no other: nothing is multiplied by
// zero. But of a float in several parts infinity becomes NaN (matrix_products.cuh).
//
// Source: Dakkak, Li, Xiong, Gelado and Hwu, "Accelerating reduction and scan using tensor core units", ICS
// 2019.
#pragma once
#include <cuda_runtime.h>

#include "kernels/operators.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/warp/matrix_products.cuh"
#include "kernels/textbook/warp/rows.cuh"

namespace trial {

/// Reduce every segment of a warp's rows; the sums lie as store_sums() takes them. Called by all lanes of
/// the warp.
template <class Format, int SEGMENT>
__device__ void reduce_by_products(const typename Format::Element (&x)[ROWS][4], float (&sums)[2]) {
    static_assert(SEGMENT == 16 || SEGMENT == 256 || SEGMENT == ROWS_ELEMENTS);
    const int t = threadIdx.x % 4;
    const auto ones = Format::round({1, 1, 1, 1});
    const Sum<float> op;
    float d[4] = {};  // the sums of rows g and g + 8, each twice
    sums[0] = sums[1] = 0;
#pragma unroll
    for (int j = 0; j < TILES; ++j) {
        add_product<Format>(d, Format::split(x[2 * j]), Format::split(x[2 * j + 1]), ones);
        if constexpr (SEGMENT <= 256) {
            if (t == j) sums[0] = d[0], sums[1] = d[2];
            d[0] = d[1] = d[2] = d[3] = 0;
        }
    }
    if constexpr (SEGMENT > 256) sums[0] = d[0], sums[1] = d[2];
    if constexpr (SEGMENT > 16) {
        sums[0] = op(sums[0], sums[1]);
#pragma unroll
        for (int mask = 4; mask < 32; mask *= 2) sums[0] = op(sums[0], shuffle_xor(sums[0], mask));
    }
}

}  // namespace trial
