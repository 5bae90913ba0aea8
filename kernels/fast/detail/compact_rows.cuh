// What fast/compact does with a warp's share of a tile: count what is kept, rank it, pack it.
//
//     rows of 32 units, here 4 lanes for 32 and 2 elements a unit; kept: x
//     row 0    x-   --   xx   -x        counts   1 0 2 1
//     row 1    xx   x-   --   xx                 2 1 0 2
//     fields            1|2  0|1  2|0  1|2       a field a row, scanned together by Kogge-Stone
//     before   row 0: 0 1 1 3, row 1: 4 6 7 7    4 = what row 0 keeps
//     packed, 2 late: 2 3 4 .. 8 - - 0 1         round the share's end, so that 2 lies where a word begins
//
// A scan of 5 shuffles serves 4 rows, or 2 if units have more than 7 elements: an eighth of the ballots and
// population counts that as many elements would take. A warp never keeps more than its share holds, so it
// packs into its own share, once all of it is in registers, and waits for no other warp. Reads have no bank
// conflicts. Where half is kept, lanes of units of 4 elements write 2 places apart.
// Source: several counts in one register: Ha, Krueger and Silva, "Fast four-way parallel radix sorting on
// GPUs", Computer Graphics Forum 28(8), 2009.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "kernels/fast/detail/row_ranks.cuh"

/// What a lane reads at a time of tiles in words: BYTES bytes, or an element if it has more. Of others: an
/// element.
template <class Tiles, class T, int BYTES>
using UnitOf =
    std::conditional_t<!Tiles::IS_IN_WORDS || BYTES == 16 || sizeof(T) == 16, typename Tiles::Word,
                       std::conditional_t<BYTES == 8 || sizeof(T) == 8, unsigned long long, unsigned>>;

/// A warp's share of a tile, in registers.
template <class Tiles, class T, class Unit>
class SelectedRows {
   public:
    static constexpr int PER_UNIT = sizeof(Unit) / sizeof(T), ROWS = Tiles::ITEMS_PER_THREAD / PER_UNIT;
    static constexpr int CHUNK = 32 * Tiles::ITEMS_PER_THREAD;  ///< elements

    /// space: of the tile in shared memory. warp: of those that share the tile.
    __device__ SelectedRows(const Tiles& tiles, long long tile, const char* space, int warp)
        : begin_(tiles.begin(tile) - warp * CHUNK), end_(tiles.end(tile) - warp * CHUNK) {
        const Unit* const units =
            reinterpret_cast<const Unit*>(space + tiles.shift + warp * CHUNK * sizeof(T)) + threadIdx.x % 32;
#pragma unroll
        for (int k = 0; k < ROWS; ++k) units_[k] = units[32 * k];
    }

    /// How many this lane keeps.
    template <class Predicate>
    __device__ unsigned count(Predicate keep) const {
        return is_whole() ? count<true>(keep) : count<false>(keep);
    }

    /// Rank what is kept. Returns how many the warp keeps. Called by all its lanes.
    template <class Predicate>
    __device__ int rank(Predicate keep) {
        is_whole() ? find_selected<true>(keep) : find_selected<false>(keep);
        unsigned counts[ROWS], before[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; ++k) counts[k] = static_cast<unsigned>(__popc(ranked_[k]));
        const unsigned selected = rank_rows<PER_UNIT>(counts, before);
#pragma unroll
        for (int k = 0; k < ROWS; ++k) ranked_[k] += before[k];
        return static_cast<int>(selected);
    }

    /// Put what was ranked side by side into `share`, which may be where it came from: rank r in place
    /// r - late, and the first `late` ones, which that leaves over, at the share's end.
    __device__ void pack(T* chunk, int late) const {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            unsigned place = (ranked_[k] & RANK) - late;
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j) {
                const bool is_selected = (ranked_[k] & SELECTED << j) != 0;
                const unsigned in_share = min(place, place + CHUNK);  // one of them is from 0 to SHARE - 1
                if (is_selected) reinterpret_cast<Item*>(chunk)[in_share] = item(units_[k], j);
                if (is_selected) ++place;
            }
        }
    }

   private:
    static constexpr unsigned SELECTED = 1u << 16, RANK = SELECTED - 1;  ///< bits of ranked_
    static_assert(CHUNK <= static_cast<int>(RANK) && PER_UNIT <= 16, "16 bits for each");

    using Item = std::conditional_t<PER_UNIT == 1, Unit, T>;  ///< which is written in one go

    /// Element j of a unit. Small ones by a funnel shift, as the compiler would keep what rank() unpacks in a
    /// register an element until pack() writes it.
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
    /// Whether all places of the share hold elements of the vector.
    __device__ bool is_whole() const { return begin_ <= 0 && end_ >= CHUNK; }
    /// Whether this one does: the predicate is asked of nothing else.
    __device__ bool has(int k, int j) const {
        const int place = (32 * k + static_cast<int>(threadIdx.x % 32)) * PER_UNIT + j;
        return begin_ <= place && place < end_;
    }

    template <bool WHOLE, class Predicate>
    __device__ unsigned count(Predicate keep) const {
        unsigned count = 0;
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            T items[PER_UNIT];
            memcpy(items, &units_[k], sizeof(items));
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j)
                if ((WHOLE || has(k, j)) && keep(items[j])) ++count;
        }
        return count;
    }

    template <bool WHOLE, class Predicate>
    __device__ void find_selected(Predicate keep) {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            T items[PER_UNIT];
            memcpy(items, &units_[k], sizeof(items));
            ranked_[k] = 0;
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j)
                if ((WHOLE || has(k, j)) && keep(items[j])) ranked_[k] |= SELECTED << j;
        }
    }

    int begin_, end_;  ///< places of the share that hold elements of the vector
    Unit units_[ROWS];
    unsigned ranked_[ROWS];  ///< a bit for each element that is kept, and how many are before the unit
};
