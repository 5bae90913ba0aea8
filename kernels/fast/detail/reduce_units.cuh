// Reduction of a batch of a vector by one warp: ROWS rows of 32 units, each read by one lane in words of 16
// bytes.
//
//     row 0        unit 0    unit 1   ..   unit 31         neighbours by neighbours, all loads on their way
//     row 1        unit 32   unit 33  ..   unit 63         before any is used
//     a lane       adds up each of its units, element by element
//     the warp     adds up lanes and rows: fast/detail/reduce_rows
//
// n elements of a full batch, P a unit: of a lane, ROWS (P - 1) + ROWS + 4 operations; requests n / (32 P)
// times the words of a unit. The order of elements is kept. Source: Luitjens, "CUDA pro tip: increase
// performance with vectorized memory access", NVIDIA developer blog, 2013.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/reduce_rows.cuh"
#include "kernels/fast/detail/wide_vector.cuh"
#include "kernels/tile.cuh"

/// Batches of 32 ROWS units of a vector.
template <int ROWS, class T, class Op>
struct UnitBatches {
    WideVector<T> in;
    Op op;

    __device__ T reduce(long long batch) const {
        constexpr int UNITS = 32 * ROWS;
        const long long first = batch * UNITS, mine = first + threadIdx.x % 32;
        T sums[ROWS] = {};
        if (in.are_whole(first, UNITS)) {
            sum_units(sums, [&](int k) { return mine + 32 * k; });
            return reduce_rows(sums, FullTile<UNITS>{}, op);
        }
        // Here too, all loads are to be on their way at a time: whoever has no whole unit takes another one.
        if (in.has_whole_units()) sum_units(sums, [&](int k) { return in.nearest_whole(mine + 32 * k); });
#pragma unroll
        for (int k = 0; k < ROWS; ++k)
            if (!in.are_whole(mine + 32 * k, 1)) sums[k] = sum_of_elements(mine + 32 * k);
        const long long units_left = in.units() - first;
        return reduce_rows(sums, static_cast<int>(units_left < UNITS ? units_left : UNITS), op);
    }

   private:
    /// sums[k]: of the unit number_of(k), which lacks no element.
    template <class NumberOf>
    __device__ void sum_units(T (&sums)[ROWS], NumberOf number_of) const {
        typename WideVector<T>::Unit units[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; ++k) units[k] = in.read(number_of(k));
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            const typename WideVector<T>::Items items = units[k].items();
            sums[k] = items.item[0];
#pragma unroll
            for (int j = 1; j < WideVector<T>::PER_UNIT; ++j) sums[k] = op(sums[k], items.item[j]);
        }
    }

    /// Of a unit that lacks some, or all: then a value that nobody uses.
    __device__ T sum_of_elements(long long unit) const {
        const int begin = in.begin_of(unit), end = in.end_of(unit);
        T sum = {};
#pragma unroll 1  // a unit or two of a vector
        for (int k = begin; k < end; ++k) sum = k == begin ? in.item(unit, k) : op(sum, in.item(unit, k));
        return sum;
    }
};
