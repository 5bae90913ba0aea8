// What device/compact_ring does with a warp's share of a tile: count what is kept, rank it, pack it.
//
//     rows of 32 units, here 4 lanes for 32 and 1 element a unit; kept: x
//     row 0   x - x x      before   0 1 1 2      the kept of the rows before, and those of lower lanes, by a
//     row 1   - x x -               3 3 4 5      ballot and a population count
//     packed                        0 2 3 5 6    over the share, once all of it is in registers
//     2 late  3 5 6 - - - 0 2       round the share's end, so that the third one lies where a word begins
//
// Neighbours read neighbouring units, and write neighbouring places: no bank conflicts. Units of several
// elements take a ballot for each bit of their count, 2 or 3 ballots in place of 2 or 4. A warp never keeps
// more than its share holds, so it packs into its own share and waits for no other warp.
// Source: Harris and Garland, "Optimizing parallel prefix operations for the Fermi architecture", GPU
// Computing Gems, Jade Edition, chapter 3, 2012 (ballots).
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "kernels/warp/shuffle.cuh"

/// Units of elements that a lane reads at a time: to count, words of 16 bytes; to pack, one element, or 4
/// bytes of smaller ones. Elements that do not fit into words are units themselves.
template <class Tiles>
using UnitToCount = typename Tiles::Word;
template <class Tiles, class T>
using UnitToPack = std::conditional_t<!Tiles::IS_IN_WORDS || sizeof(T) == 16, typename Tiles::Word,
                                      std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>>;

/// A warp's share of a tile, in registers.
template <class Tiles, class T, class Unit>
class KeptRows {
   public:
    static constexpr int PER_UNIT = sizeof(Unit) / sizeof(T), ROWS = Tiles::ITEMS / PER_UNIT;
    static constexpr int SHARE = 32 * Tiles::ITEMS;  ///< elements

    /// space: of the tile in shared memory. warp: of those that share the tile.
    __device__ KeptRows(const Tiles& tiles, long long tile, const char* space, int warp)
        : begin_(tiles.begin(tile) - warp * SHARE), end_(tiles.end(tile) - warp * SHARE) {
        const Unit* const units =
            reinterpret_cast<const Unit*>(space + tiles.shift + warp * SHARE * sizeof(T)) + threadIdx.x % 32;
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
        return is_whole() ? rank<true>(keep) : rank<false>(keep);
    }

    /// Put what was ranked side by side into `share`, which may be where it came from: rank r in place
    /// r - late, and the first `late` ones, which that leaves over, at the share's end.
    __device__ void pack(T* share, int late) const {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            unsigned place = (ranked_[k] & RANK) - late;
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j) {
                const bool is_kept = (ranked_[k] & KEPT >> j) != 0;
                const unsigned in_share = min(place, place + SHARE);  // one of them is from 0 to SHARE - 1
                if (is_kept) reinterpret_cast<Item*>(share)[in_share] = item(units_[k], j);
                if (is_kept) ++place;
            }
        }
    }

   private:
    static constexpr int COUNT_BITS = PER_UNIT == 1 ? 1 : PER_UNIT < 4 ? 2 : 3;  ///< of a unit
    static constexpr unsigned KEPT = 1u << 31, RANK = 0xffff;                    ///< bits of ranked_
    static_assert(SHARE < RANK, "a rank has 16 bits");

    using Item = std::conditional_t<PER_UNIT == 1, Unit, T>;  ///< which is written in one go

    /// Element j of a unit. A funnel shift, as the compiler would keep each element that rank() unpacks in a
    /// register of its own until pack() writes it.
    __device__ static Item item(Unit unit, int j) {
        if constexpr (PER_UNIT == 1) {
            return unit;
        } else {
            const unsigned bytes = __funnelshift_r(unit, 0, 8 * static_cast<int>(sizeof(T)) * j);
            Item item;
            memcpy(&item, &bytes, sizeof(item));
            return item;
        }
    }
    /// Whether all places of the share hold elements of the vector.
    __device__ bool is_whole() const { return begin_ <= 0 && end_ >= SHARE; }
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
    __device__ int rank(Predicate keep) {
        static_assert(PER_UNIT <= 4, "counts have 3 bits");
        const unsigned lower_lanes = (1u << threadIdx.x % 32) - 1;
        int kept = 0;
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            T items[PER_UNIT];
            memcpy(items, &units_[k], sizeof(items));
            unsigned flags = 0, count = 0, before = kept;
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j) {
                if (!((WHOLE || has(k, j)) && keep(items[j]))) continue;
                flags |= KEPT >> j;
                ++count;
            }
#pragma unroll
            for (int bit = 0; bit < COUNT_BITS; ++bit) {
                const unsigned lanes = __ballot_sync(ALL_LANES, (count >> bit & 1) != 0);
                before += __popc(lanes & lower_lanes) << bit;
                kept += __popc(lanes) << bit;
            }
            ranked_[k] = flags + before;
        }
        return kept;
    }

    int begin_, end_;  ///< places of the share that hold elements of the vector
    Unit units_[ROWS];
    unsigned ranked_[ROWS];  ///< a bit for each element that is kept, and how many are before the unit
};
