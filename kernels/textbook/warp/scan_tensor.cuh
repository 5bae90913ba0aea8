// Scan by products with triangular matrices of ones: a tile of 256 elements is a matrix A of 16 rows of 16.
//
//     A U:  each row scanned              L (A 1):  the sums of all rows before
//
//     | x0  x1  x2 .. |   | 1 1 1 .. |    | 0 0 0 .. |   | x0 + .. + x15  |
//     | x16 x17 ..    | x | 0 1 1 .. | +  | 1 0 0 .. | x | x16 + .. + x31 |     added to every column
//     | ..            |   | 0 0 1 .. |    | 1 1 0 .. |   | ..             |
//
// Inclusive. Four tiles, 1,024 elements, by a warp, in segments of 16 (a row: A U alone), 256 (a tile) or
// 1,024. The sums of the rows of the four tiles are the columns of one matrix, so that L is multiplied
// once for all. They are floats, and are split into three parts of bfloat16: nothing of them is rounded
// away. From tile to tile the last element is carried on, by a shuffle.
//
// Instructions (mma.sync) of 1,024 elements, for p parts and s steps of the format: 8 p s in segments of
// 16; 16 p s + 3 in longer ones, and 8 shuffles, of 1,024 elements 11. Halves: 8 and 19; tf32: 16 and 35;
// two parts of tf32: 32 and 67; three of bfloat16: 24 and 51. A U of a tile multiplies and adds 16 x 16 x
// 16 times, half of it by zero, where 16 x 15 additions would do.
//
// An element that is infinite or NaN makes all of its tile NaN, also what is before it, because zero times
// infinity is NaN; in segments of 16, all of its row; in segments of 1,024, the tiles after it, too. A scan
// by additions leaves the prefixes before it as they are. No other segment is touched.
//
// Source: Dakkak, Li, Xiong, Gelado and Hwu, "Accelerating reduction and scan using tensor core units",
// ICS 2019, who add A U and (L A) 1; here L (A 1), which needs no transposed tile. Of longer vectors:
// Zouzias and McColl, "A parallel scan algorithm in the tensor core unit model", Euro-Par 2023.
#pragma once
#include <cuda_runtime.h>

#include "kernels/operators.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/warp/matrix_products.cuh"
#include "kernels/textbook/warp/rows.cuh"

namespace trial {

/// A warp's rows, ready for products.
template <class Format>
using WordsOfRows = Words<Format::PARTS, Format::STEPS>[ROWS];

/// before[j]: the sums of all rows of tile j before its rows g and g + 8.
template <class Format>
__device__ void sums_before_rows(const WordsOfRows<Format>& rows, float (&before)[TILES][2]) {
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const auto ones = Format::round({1, 1, 1, 1});
    float sums[4] = {};  // of rows 2 t, 2 t + 1, 2 t + 8, 2 t + 9 of tile g % 4: a column of B
#pragma unroll
    for (int j = 0; j < TILES; ++j) {
        float low[4] = {}, high[4] = {};  // every row of 1 A': the sums of rows 2 t and 2 t + 1; + 8
        add_product<Format>(low, ones, ones, rows[2 * j]);
        add_product<Format>(high, ones, ones, rows[2 * j + 1]);
        if (g % TILES == j) sums[0] = low[0], sums[1] = low[1], sums[2] = high[0], sums[3] = high[1];
    }
    const float left = 2 * t < g, right = 2 * t + 1 < g;
    float d[4] = {};  // of tiles 2 t and 2 t + 1: before row g, before row g + 8
    add_product<Bfloats>(d, Bfloats::round({left, right, 0, 0}), Bfloats::round({1, 1, left, right}),
                         Bfloats::split(sums));
#pragma unroll
    for (int j = 0; j < TILES; ++j) {
        before[j][0] = shuffle_from(d[j % 2], 4 * g + j / 2);
        before[j][1] = shuffle_from(d[2 + j % 2], 4 * g + j / 2);
    }
}

/// Scan every segment of a warp's rows. Called by all lanes of the warp.
template <class Format, int SEGMENT>
__device__ void scan_by_products(const typename Format::Element (&x)[ROWS][4], float (&y)[ROWS][4]) {
    static_assert(SEGMENT == 16 || SEGMENT == 256 || SEGMENT == ROWS_ELEMENTS);
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    WordsOfRows<Format> rows;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) rows[r] = Format::split(x[r]);
    float before[TILES][2] = {};
    if constexpr (SEGMENT > 16) sums_before_rows<Format>(rows, before);
#pragma unroll
    for (int j = 0; j < TILES; ++j) {
        if (SEGMENT > 256 && j > 0) {
            const float carry = shuffle_from(y[2 * j - 1][3], 31);  // the last element of the tile before
            for (float& sum : before[j]) sum = Sum<float>{}(carry, sum);
        }
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            // Column g of this half of U is column c of U, so that d holds neighbours: columns 4 t + 2 h,
            // + 1.
            const int c = g / 2 * 4 + 2 * h + g % 2;
            const auto one = [=](int k) { return 4 * t + k <= c ? 1.0f : 0.0f; };
            const auto upper = Format::round({one(0), one(1), one(2), one(3)});
            float d[4] = {before[j][0], before[j][0], before[j][1], before[j][1]};
            add_product<Format>(d, rows[2 * j], rows[2 * j + 1], upper);
            y[2 * j][2 * h] = d[0], y[2 * j][2 * h + 1] = d[1];
            y[2 * j + 1][2 * h] = d[2], y[2 * j + 1][2 * h + 1] = d[3];
        }
    }
}

}  // namespace trial
