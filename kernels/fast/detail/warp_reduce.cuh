// Reduction of the rows of a warp, in order: vector halving, distance doubling.
//
//     lane               0     1     2     3                     ROWS = 4, drawn with 4 lanes
//     rows held         abcd  abcd  abcd  abcd
//     distance 1        a_c_  _b_d  a_c_  _b_d                   lanes 0+1, 2+3: each sends half of its rows
//     distance 2        a___  _b__  __c_  ___d                   lanes 0..3
//     then              a+b   a+b   c+d   c+d                    neighbouring rows,
//                       a..d  a..d  a..d  a..d                   and so on: to all lanes
//
// A tree for each row would take 5 shuffles a row. Here a lane sends half of its rows in each step until it
// holds one, and the two values that are combined are always adjacent: the operator need not commute. For
// each lane, R = ROWS: R - 1 + (5 - log2 R) + log2 R = R + 4 operations and as many shuffles of a value,
// instead of 6 R - 1 of each.
// Source: Rabenseifner, "Optimization of collective reduction operations", ICCS 2004.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/fast/detail/wide_vector.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Combine two adjacent values, the other one from the lane at this distance, a power of two. If there is no
/// right value, the left one is returned.
template <class T, class Op>
__device__ T combine_lanes(T mine, T other, int distance, bool right_exists, Op op) {
    const bool upper = (threadIdx.x & distance) != 0;
    const T left = upper ? other : mine, right = upper ? mine : other;
    return right_exists ? op(left, right) : left;
}

/// The combination of the first `count` of 32 ROWS values, to all lanes. values[k] of lane l is number
/// 32 k + l. 1 <= count; ROWS: a power of two, at most 32. Called by all lanes of a warp.
template <int ROWS, class T, class Count, class Op>
__device__ T reduce_rows(T (&values)[ROWS], Count count, Op op) {
    static_assert(ROWS <= 32 && (ROWS & (ROWS - 1)) == 0, "the number of rows is halved repeatedly");
    constexpr bool all = std::is_same_v<Count, FullTile<32 * ROWS>>;
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const int lanes = 2 * distance, rows = lanes < ROWS ? lanes : ROWS;  // held: every rows-th row
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
            values[k] = combine_lanes(mine, shuffle_xor(given, distance), distance,
                                      all || 32 * row + right_lane < count, op);
        }
    }
#pragma unroll
    for (int distance = 1; distance < ROWS; distance *= 2) {
        const int right_row = lane % ROWS / (2 * distance) * (2 * distance) + distance;
        values[0] = combine_lanes(values[0], shuffle_xor(values[0], distance), distance,
                                  all || 32 * right_row < count, op);
    }
    return values[0];
}

// Reduction of a batch of a vector by one warp: ROWS rows of 32 vector units, one lane a unit, loaded in
// words of 16 bytes.
//
//     row 0        unit 0    unit 1   ..   unit 31         coalesced; all loads are issued
//     row 1        unit 32   unit 33  ..   unit 63         before the first use
//     a lane       adds up each of its units, element by element
//     the warp     adds up lanes and rows: reduce_rows
//
// n elements of a full batch, P a unit: each lane performs ROWS (P - 1) + ROWS + 4 operations; requests:
// n / (32 P) times the words of a unit. The order of elements is preserved. Source: Luitjens, "CUDA pro tip:
// increase performance with vectorized memory access", NVIDIA developer blog, 2013.

/// Whether an operator may be applied with left and right swapped: as it is if it commutes, else as its
/// AnyOrder.
template <class Op, class = void>
inline constexpr bool HAS_ANY_ORDER = COMMUTES<Op>;
template <class Op>
inline constexpr bool HAS_ANY_ORDER<Op, std::void_t<typename Op::AnyOrder>> = true;
template <class Op>
__device__ auto any_order(const Op& op) {
    if constexpr (COMMUTES<Op>)
        return op;
    else
        return typename Op::AnyOrder{};
}

/// Batches begin .. end - 1, at least one, combined one after another.
template <class T, class Batches, class Op>
__device__ T reduce_in_order(const Batches& batches, long long begin, long long end, Op op) {
    T sum = {};
    for (long long batch = begin; batch < end; ++batch) {
        const T of_batch = batches.reduce(batch);
        sum = batch == begin ? of_batch : op(sum, of_batch);
    }
    return sum;
}

/// A vector in batches of 32 ROWS vector units. BY_LANE: lanes are combined once for many batches, if the
/// operator may be applied in any order.
template <int ROWS, class Vector, class Op, bool BY_LANE = false>
struct UnitBatches {
    using T = typename Vector::Value;
    using Near = typename Vector::Near;  ///< what is combined within a batch
    Vector in;
    Op op;

    __device__ T reduce(long long batch) const {
        constexpr int UNITS = 32 * ROWS;
        const long long first = batch * UNITS, mine = first + threadIdx.x % 32;
        if (in.are_whole(first, UNITS)) return reduce_whole(batch);
        Near sums[ROWS] = {};
        // Here too all loads are in flight together: a lane whose unit is incomplete loads the nearest full
        // unit.
        if (in.has_whole_units())
            sum_units(sums, first, [&](int k) { return in.nearest_whole(mine + 32 * k); });
#pragma unroll
        for (int k = 0; k < ROWS; ++k)
            if (!in.are_whole(mine + 32 * k, 1)) sums[k] = sum_of_elements(mine + 32 * k, first);
        const long long units_left = in.units() - first;
        const int units = static_cast<int>(units_left < UNITS ? units_left : UNITS);
        return in.value_of(reduce_rows(sums, units, op), first);
    }

    /// Batches begin .. end - 1, at least one.
    __device__ T reduce(long long begin, long long end) const {
        if constexpr (BY_LANE && HAS_ANY_ORDER<Op>)
            return reduce_by_lane(begin, end);
        else
            return reduce_in_order<T>(*this, begin, end, op);
    }
    /// As reduce(), of a batch without incomplete units.
    __device__ T reduce_whole(long long batch) const {
        constexpr int UNITS = 32 * ROWS;
        const long long first = batch * UNITS;
        Near sums[ROWS] = {};
        sum_units(sums, first, [&](int k) { return first + threadIdx.x % 32 + 32 * k; });
        return in.value_of(reduce_rows(sums, FullTile<UNITS>{}, op), first);
    }

   private:
    /// Each lane combines its units of all batches, and the warp combines its lanes once.
    __device__ T reduce_by_lane(long long begin, long long end) const {
        constexpr int UNITS = 32 * ROWS;
        const auto swappable = any_order(op);
        const long long origin = begin * UNITS;
        Prefix<T> sum = {{}, false};  // of the first and the last batch, if they are incomplete
        Prefix<Near> own = {{}, false};
        for (long long batch = begin; batch < end; ++batch) {
            if (!in.are_whole(batch * UNITS, UNITS)) {
                sum = {combine(sum, reduce(batch), swappable), true};
                continue;
            }
            const int number = static_cast<int>(batch - begin) * UNITS + static_cast<int>(threadIdx.x % 32);
            typename Vector::Unit units[ROWS];
#pragma unroll
            for (int k = 0; k < ROWS; ++k) units[k] = in.read(origin + number + 32 * k);
#pragma unroll
            for (int k = 0; k < ROWS; ++k) {
                const auto items = in.items_of(units[k], number + 32 * k);
#pragma unroll
                for (int j = 0; j < Vector::PER_UNIT; ++j) own = {combine(own, items.item[j], op), true};
            }
        }
        if (!own.exists) return sum.value;
        Near lanes[1] = {own.value};
        const T total = in.value_of(reduce_rows(lanes, FullTile<32>{}, swappable), origin);
        return combine(sum, total, swappable);
    }

    /// sums[k]: the sum of unit number_of(k), which must be full.
    template <class NumberOf>
    __device__ void sum_units(Near (&sums)[ROWS], long long first, NumberOf number_of) const {
        typename Vector::Unit units[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; ++k) units[k] = in.read(number_of(k));
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            const auto items = in.items_of(units[k], static_cast<int>(number_of(k) - first));
            sums[k] = items.item[0];
#pragma unroll
            for (int j = 1; j < Vector::PER_UNIT; ++j) sums[k] = op(sums[k], items.item[j]);
        }
    }

    /// The sum of a partial unit; if the unit is empty, a value that is not used.
    __device__ Near sum_of_elements(long long unit, long long first) const {
        const int begin = in.begin_of(unit), end = in.end_of(unit), number = static_cast<int>(unit - first);
        Near sum = {};
#pragma unroll 1  // at most two units of a vector
        for (int k = begin; k < end; ++k) {
            const Near item = in.item(unit, k, number);
            sum = k == begin ? item : op(sum, item);
        }
        return sum;
    }
};

}  // namespace trial
