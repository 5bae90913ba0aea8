// Tile status: how blocks of a running grid tell one another the sums of their tiles.
//
//     word 0   | state | bytes 0 .. 3  |        state:  empty      nothing yet
//     word 1   | state | bytes 4 .. 7  |                aggregate  the sum of the tile
//     ..                                                prefix     the sum of all up to the tile's end
//
// A value of up to 16 bytes is cut into pieces of 4, each in a 64-bit word with the state beside it. A word
// is read and written in one go, so a piece is as new as its state; and a value is whole when its pieces are
// of one state, as a tile passes through each state once. No fence is needed, as no word speaks for another.
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002,
// 2016, section 4.4 for values that fit into a word beside their state; the cutting is ours.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

enum class TileState : unsigned { empty = 0, aggregate = 1, prefix = 2 };

template <class T>
class TileStatus {
   public:
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "a value is its bytes, 16 at most");
    using Word = unsigned long long;
    static constexpr int WORDS = (sizeof(T) + 3) / 4;  ///< of a tile

    /// words: WORDS of them a tile, on the device, 0 at the start of the grid.
    __host__ __device__ explicit TileStatus(Word* words) : words_(words) {}

    /// Called by one thread, once for each state, in ascending order.
    __device__ void write(long long tile, TileState state, T value) const {
        unsigned pieces[WORDS] = {};
        memcpy(pieces, &value, sizeof(T));
        volatile Word* const words = words_ + tile * WORDS;
#pragma unroll
        for (int k = 0; k < WORDS; ++k) words[k] = static_cast<Word>(state) << 32 | pieces[k];
    }

    /// The state as it is now, and its value unless that is empty, or in between two states: then empty is
    /// returned.
    __device__ TileState read(long long tile, T& value) const {
        const volatile Word* const words = words_ + tile * WORDS;
        unsigned pieces[WORDS], states[WORDS];
#pragma unroll
        for (int k = 0; k < WORDS; ++k) {
            const Word word = words[k];
            pieces[k] = static_cast<unsigned>(word);
            states[k] = static_cast<unsigned>(word >> 32);
        }
        bool whole = true;
#pragma unroll
        for (int k = 1; k < WORDS; ++k) whole = whole && states[k] == states[0];
        if (!whole) return TileState::empty;
        memcpy(&value, pieces, sizeof(T));
        return static_cast<TileState>(states[0]);
    }

   private:
    Word* words_;
};
