// How fast/select counts, ranks and packs a warp's chunk of a tile.
//
//     rows of 32 units, drawn with 4 lanes and 2 elements a unit; selected: x
//     row 0    x-   --   xx   -x        counts   1 0 2 1
//     row 1    xx   x-   --   xx                 2 1 0 2
//     fields            1|2  0|1  2|0  1|2       one field a row, scanned together by Kogge-Stone
//     ranks    row 0: 0 1 1 3, row 1: 4 6 7 7    4 = count of row 0
//     packed, head 2: 2 3 4 .. 8 - - 0 1         rotated in the chunk, so that 2 lies where a word begins
//
// One scan of 5 shuffles serves 4 rows, or 2 rows if a unit has more than 7 elements: an eighth of the
// ballots and population counts that as many elements would take. A warp never selects more than its chunk
// holds, so it packs into its own chunk once all of it is in registers, and waits for no other warp. Reads
// have no bank conflicts. If half of the elements are selected, lanes with units of 4 elements write 2 places
// apart.
// Source: several counts in one register: Ha, Krueger and Silva, "Fast four-way parallel radix sorting on
// GPUs", Computer Graphics Forum 28(8), 2009.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "kernels/fast/detail/row_ranks.cuh"

namespace trial {

/// What a lane reads together. In tiles of words: BYTES bytes, or one larger element. Otherwise: one element.
template <class Tiles, class T, int BYTES>
using UnitOf =
    std::conditional_t<!Tiles::IS_IN_WORDS || BYTES == 16 || sizeof(T) == 16, typename Tiles::Word,
                       std::conditional_t<BYTES == 8 || sizeof(T) == 8, unsigned long long, unsigned>>;

/// A warp's chunk of a tile, in registers.
template <class Tiles, class T, class Unit>
class SelectedRows {
   public:
    static constexpr int PER_UNIT = sizeof(Unit) / sizeof(T), ROWS = Tiles::ITEMS_PER_THREAD / PER_UNIT;
    static constexpr int CHUNK = 32 * Tiles::ITEMS_PER_THREAD;  ///< elements

    /// space: the tile in shared memory. warp: index among the warps that work on the tile.
    __device__ SelectedRows(const Tiles& tiles, long long tile, const char* space, int warp)
        : begin_(tiles.begin(tile) - warp * CHUNK), end_(tiles.end(tile) - warp * CHUNK) {
        const Unit* const units =
            reinterpret_cast<const Unit*>(space + tiles.shift + warp * CHUNK * sizeof(T)) + threadIdx.x % 32;
        is_whole() ? read<true>(units) : read<false>(units);
    }

    /// Elements that this lane selects.
    template <class Predicate>
    __device__ unsigned count(Predicate predicate) const {
        return is_whole() ? count<true>(predicate) : count<false>(predicate);
    }

    /// Rank the selected elements. Returns the warp's count. Called by all lanes of the warp.
    template <class Predicate>
    __device__ int rank(Predicate predicate) {
        is_whole() ? find_selected<true>(predicate) : find_selected<false>(predicate);
        unsigned counts[ROWS], before[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; ++k) counts[k] = static_cast<unsigned>(__popc(ranked_[k]));
        const unsigned selected = rank_rows<PER_UNIT>(counts, before);
#pragma unroll
        for (int k = 0; k < ROWS; ++k) ranked_[k] += before[k];
        return static_cast<int>(selected);
    }

    /// Pack the ranked elements into `chunk`, which may be the one they were read from: rank r goes to place
    /// r - head, and the first `head` elements, for which that is negative, go to the end of the chunk.
    __device__ void pack(T* chunk, int head) const {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            unsigned place = (ranked_[k] & RANK) - head;
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j) {
                const bool is_selected = (ranked_[k] & SELECTED << j) != 0;
                const unsigned place_in_chunk = min(place, place + CHUNK);  // 0 .. CHUNK - 1
                if (is_selected) reinterpret_cast<Item*>(chunk)[place_in_chunk] = item(units_[k], j);
                if (is_selected) ++place;
            }
        }
    }

   private:
    static constexpr unsigned SELECTED = 1u << 16, RANK = SELECTED - 1;  ///< bits of ranked_
    static_assert(CHUNK <= static_cast<int>(RANK) && PER_UNIT <= 16, "16 bits for each");

    using Item = std::conditional_t<PER_UNIT == 1, Unit, T>;  ///< written by a single store

    /// Element j of a unit. Small elements are extracted by a funnel shift; otherwise the compiler would keep
    /// each element that rank() unpacks in a register of its own until pack() stores it.
    __device__ static Item item(const Unit& unit, int j) {
        Item item;
        if constexpr (PER_UNIT > 1 && sizeof(T) < 4) {
            constexpr int PER_4_BYTES = 4 / sizeof(T);
            unsigned words[sizeof(Unit) / 4];
            memcpy(words, &unit, sizeof(unit));
            const unsigned low =
                __funnelshift_r(words[j / PER_4_BYTES], 0, j % PER_4_BYTES * 8 * static_cast<int>(sizeof(T)));
            memcpy(&item, &low, sizeof(item));
        } else {
            Item items[PER_UNIT];
            memcpy(items, &unit, sizeof(items));
            item = items[j];
        }
        return item;
    }
    /// Whether every place of the chunk holds an element of the vector.
    __device__ bool is_whole() const { return begin_ <= 0 && end_ >= CHUNK; }
    /// The place of the first element of this lane's unit of row k.
    __device__ static int place(int k) { return (32 * k + static_cast<int>(threadIdx.x % 32)) * PER_UNIT; }
    /// Whether the unit has a place that holds an element of the vector.
    __device__ bool has_any(int k) const { return begin_ < place(k) + PER_UNIT && place(k) < end_; }
    /// Whether place j of the unit does; the predicate is evaluated for no other.
    __device__ bool has(int k, int j) const { return begin_ <= place(k) + j && place(k) + j < end_; }

    /// Units without an element are not read: they may never have been written.
    template <bool WHOLE>
    __device__ void read(const Unit* units) {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) units_[k] = WHOLE || has_any(k) ? units[32 * k] : Unit{};
    }

    template <bool WHOLE, class Predicate>
    __device__ unsigned count(Predicate predicate) const {
        unsigned count = 0;
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            T items[PER_UNIT];
            memcpy(items, &units_[k], sizeof(items));
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j)
                if ((WHOLE || has(k, j)) && predicate(items[j])) ++count;
        }
        return count;
    }

    template <bool WHOLE, class Predicate>
    __device__ void find_selected(Predicate predicate) {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            T items[PER_UNIT];
            memcpy(items, &units_[k], sizeof(items));
            ranked_[k] = 0;
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j)
                if ((WHOLE || has(k, j)) && predicate(items[j])) ranked_[k] |= SELECTED << j;
        }
    }

    int begin_, end_;  ///< places of the chunk that hold elements of the vector
    Unit units_[ROWS];
    unsigned ranked_[ROWS];  ///< a bit for each selected element, and the rank of the unit
};

}  // namespace trial
