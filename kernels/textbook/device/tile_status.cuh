// Tile status: how the blocks of a running grid publish the sums of their tiles to one another.
//
//     word 0   | state | bytes 0 .. 3  |        state:  empty      nothing is published yet
//     word 1   | state | bytes 4 .. 7  |                aggregate  the sum of the tile
//     ..                                                prefix     the inclusive prefix of the tile
//
// A value of up to 16 bytes is split into pieces of 4 bytes, each in a 64-bit word next to the state. Words
// are single-copy atomic, so a piece is as recent as its state. A value is complete if all of its words carry
// the same state, because a tile enters each state once. No fence is needed. Not kernels/versioned_words:
// this is the source's protocol, a state that ascends within a call and is cleared before every call; the
// experiments measure the versions against that clearing.
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002,
// 2016, section 4.4, for values that fit into a word with their state; the split is ours.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

namespace trial {

enum class TileState : unsigned { empty = 0, aggregate = 1, prefix = 2 };

template <class T>
class TileStatus {
   public:
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "values are copied as <= 16 bytes");
    using Word = unsigned long long;
    static constexpr int WORDS = (sizeof(T) + 3) / 4;  ///< for each tile

    /// words: WORDS for each tile, on the device, all 0 when the grid starts.
    __host__ __device__ explicit TileStatus(Word* words) : words_(words) {}

    /// Called by one thread, once for each state, in ascending order.
    __device__ void write(long long tile, TileState state, T value) const {
        unsigned pieces[WORDS] = {};
        memcpy(pieces, &value, sizeof(T));
        volatile Word* const words = words_ + tile * WORDS;
#pragma unroll
        for (int k = 0; k < WORDS; ++k) words[k] = static_cast<Word>(state) << 32 | pieces[k];
    }

    /// The current state. `value` is set unless the state is empty; a value between two states reads as
    /// empty.
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

}  // namespace trial
