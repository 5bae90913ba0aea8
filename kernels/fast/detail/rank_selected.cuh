// Ranks of the kept elements of a warp's part of a vector: how many are kept before each unit.
//
//     ROWS rows of 32 units, here 4 lanes for 32 and 2 elements a unit; kept: x
//     row 0        x-   --   xx   -x        counts   1 0 2 1
//     row 1        xx   x-   --   xx                 2 1 0 2
//     packed                                         1|2  0|1  2|0  1|2       a field a row
//     scanned      Kogge-Stone, by one shuffle a step for all fields
//     before       row 0: 0 1 1 3, row 1: 4 6 7 7                             4 = what row 0 keeps
//
// A unit's elements belong to one lane, so counts take the place of flags: a shuffle scan of 5 steps serves 4
// rows, if units have at most 4 elements, else 2, where textbook/block/rank_flags takes a ballot and two popcounts for
// every row of elements. Everything stays in registers; the predicate is asked once for each element.
// Source: several counts in one register: Ha, Krueger and Silva, "Fast four-way parallel radix sorting on
// GPUs", Computer Graphics Forum 28(8), 2009.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/row_ranks.cuh"
#include "kernels/fast/detail/wide_vector.cuh"

/// A warp's part of a tile, ROWS rows of 32 units side by side, in registers: which elements are kept, and
/// how many before each.
template <int ROWS, class T>
class SelectedUnits {
   public:
    using Vector = WideVector<T>;
    static constexpr int PER_UNIT = Vector::PER_UNIT, UNITS = 32 * ROWS;

    /// The part that begins with unit `first`; those of its places that hold no element stay unset.
    __device__ void read(const Vector& in, long long first) {
        const long long mine = first + threadIdx.x % 32;
        if (in.are_whole(first, UNITS)) {
#pragma unroll
            for (int k = 0; k < ROWS; ++k) units_[k] = in.read(mine + 32 * k);
            return;
        }
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            const long long unit = mine + 32 * k;
            if (in.are_whole(unit, 1)) {
                units_[k] = in.read(unit);
            } else {
                typename Vector::Items items = {};
#pragma unroll
                for (int j = 0; j < PER_UNIT; ++j)
                    if (in.has(unit, j)) items.item[j] = in.item(unit, j);
                units_[k] = Vector::unit_of(items);
            }
        }
    }

    /// Ask the predicate, and rank. Returns how many the warp keeps. Called by all its lanes.
    template <class Predicate>
    __device__ int rank(const Vector& in, long long first, Predicate keep) {
        const bool whole = in.are_whole(first, UNITS);
        unsigned counts[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            const typename Vector::Items items = units_[k].items();
            flags_[k] = 0;
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j)
                if ((whole || in.has(first + threadIdx.x % 32 + 32 * k, j)) && keep(items.item[j]))
                    flags_[k] |= 1u << j;
            counts[k] = static_cast<unsigned>(__popc(flags_[k]));
        }
        return static_cast<int>(rank_rows<PER_UNIT>(counts, before_));
    }

    /// The kept ones, side by side, to to[0 ..].
    __device__ void write(T* to) const {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            const typename Vector::Items items = units_[k].items();
            unsigned place = before_[k];
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j)
                if ((flags_[k] >> j & 1) != 0) to[place++] = items.item[j];
        }
    }

   private:
    static_assert(PER_UNIT <= 32, "a flag an item");

    typename Vector::Unit units_[ROWS];
    unsigned flags_[ROWS];   ///< a bit an item: kept
    unsigned before_[ROWS];  ///< kept ones of the warp before the unit
};
