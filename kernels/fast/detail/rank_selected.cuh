// Ranks of the selected elements of a warp's part of a vector: how many are selected before each vector unit.
//
//     ROWS rows of 32 units, drawn with 4 lanes and 2 elements a unit; selected: x
//     row 0        x-   --   xx   -x        counts   1 0 2 1
//     row 1        xx   x-   --   xx                 2 1 0 2
//     packed                                         1|2  0|1  2|0  1|2       one field a row
//     scanned      Kogge-Stone, one shuffle a step for all fields
//     ranks        row 0: 0 1 1 3, row 1: 4 6 7 7                             4 = count of row 0
//
// All elements of a unit belong to one lane, so counts replace flags: a shuffle scan of 5 steps serves 4 rows
// if units have at most 4 elements, otherwise 2 rows; textbook/block/rank_flags takes a ballot and two
// popcounts for every row of elements. Everything stays in registers, and the predicate is evaluated once for
// each element.
// Source: several counts in one register: Ha, Krueger and Silva, "Fast four-way parallel radix sorting on
// GPUs", Computer Graphics Forum 28(8), 2009.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/row_ranks.cuh"
#include "kernels/fast/detail/wide_vector.cuh"

namespace trial {

/// A warp's part of a tile in registers, ROWS adjacent rows of 32 vector units: which elements are selected,
/// and how many before each unit.
template <int ROWS, class T>
class SelectedUnits {
   public:
    using Vector = WideVector<T>;
    static constexpr int PER_UNIT = Vector::PER_UNIT, UNITS = 32 * ROWS;

    /// Load the part that begins with unit `first`. Places that hold no element are zero.
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

    /// Evaluate the predicate and rank. Returns the warp's count. Called by all lanes of the warp.
    template <class Predicate>
    __device__ int rank(const Vector& in, long long first, Predicate predicate) {
        const bool whole = in.are_whole(first, UNITS);
        unsigned counts[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            const typename Vector::Items items = units_[k].items();
            flags_[k] = 0;
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j)
                if ((whole || in.has(first + threadIdx.x % 32 + 32 * k, j)) && predicate(items.item[j]))
                    flags_[k] |= 1u << j;
            counts[k] = static_cast<unsigned>(__popc(flags_[k]));
        }
        return static_cast<int>(rank_rows<PER_UNIT>(counts, before_));
    }

    /// Write the selected elements contiguously to to[0 ..].
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
    unsigned flags_[ROWS];   ///< a bit an item: selected
    unsigned before_[ROWS];  ///< selected ones of the warp before the unit
};

}  // namespace trial
