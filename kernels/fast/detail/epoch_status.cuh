// Epoch status: how blocks tell one another the sums of their tiles, call after call, with nothing to clear.
//
//     up to 4 bytes      | epoch | value |                                                    8 bytes
//     up to 8 bytes      | epoch |   -   |     value     |                                   16 bytes
//     up to 16 bytes     | epoch |   -   |  bytes 0..7   |  | epoch |   -   | bytes 8..15 |   32 bytes
//
// A status counts if it carries the epoch of this call, and is older otherwise. A word is read and written in
// one go, so a piece of a value is as new as the epoch beside it; no fence is needed, as no word speaks for
// another. Epochs have 32 bits: the status that a call leaves unused is renewed in turn, one a call, so none
// gets old enough to be mistaken after epochs start over. As narrow and wide words lie apart, nobody ever
// takes the value of one for the epoch of another, whatever types a workspace serves in turn.
// Source: Merrill and Garland, NVR-2016-002, 2016, section 4.4, with a state in place of the epoch; the rest
// is ours.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "kernels/fast/detail/whole_words.cuh"

/// What a scan keeps between calls, on the device; all 0 at first.
struct ScanMemory {
    static constexpr int WIDE = 2;  ///< wide words of a status, for a value of 16 bytes
    unsigned long long* control;    ///< epoch in the upper half, tickets taken in the lower one
    unsigned long long* narrow;     ///< capacity of them
    WideWord* wide;                 ///< WIDE * capacity
    unsigned capacity;              ///< tiles

    /// Take a ticket: the low half of what is returned; the high half is the epoch of this call less 1.
    __device__ unsigned long long take_ticket() const { return atomicAdd(control, 1ull); }

    /// Begin the next epoch with no ticket taken. Called when the last ticket of this call is taken, as
    /// nobody will read control again in this call. narrow_used, wide_used: words that this call writes.
    __device__ void next_epoch(unsigned epoch, unsigned narrow_used, unsigned wide_used) const {
        const unsigned narrow_place = epoch % capacity, wide_place = epoch % (WIDE * capacity);
        if (narrow_place >= narrow_used) write_word(narrow + narrow_place, Word(epoch) << 32);
        if (wide_place >= wide_used) write_word(wide + wide_place, WideWord{epoch, 0});
        write_word(control, Word(epoch) << 32);
    }

   private:
    using Word = unsigned long long;
};

template <class T>
class EpochStatus {
   public:
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "a value is its bytes, 16 at most");
    static constexpr int NARROW = sizeof(T) <= 4 ? 1 : 0;  ///< words of a tile
    static constexpr int WIDE = NARROW > 0 ? 0 : sizeof(T) <= 8 ? 1 : 2;

    __device__ EpochStatus(const ScanMemory& memory, unsigned epoch)
        : narrow_(memory.narrow), wide_(memory.wide), epoch_(epoch) {}

    /// Have the tile's words brought to the cache, for the first look at them.
    __device__ static void prefetch(const ScanMemory& memory, long long tile) {
        if constexpr (NARROW > 0)
            prefetch_word(memory.narrow + tile);
        else
            prefetch_word(memory.wide + tile * WIDE);  // the words of a tile lie in one sector
    }

    /// Called by one thread, once a tile and call.
    __device__ void write(long long tile, T value) const {
        if constexpr (NARROW > 0) {
            unsigned bytes = 0;
            memcpy(&bytes, &value, sizeof(T));
            write_word(narrow_ + tile, static_cast<unsigned long long>(epoch_) << 32 | bytes);
        } else {
            unsigned long long pieces[WIDE] = {};
            memcpy(pieces, &value, sizeof(T));
#pragma unroll
            for (int k = 0; k < WIDE; ++k) write_word(wide_ + tile * WIDE + k, WideWord{epoch_, pieces[k]});
        }
    }

    /// What is in the tile's words at the moment. Several of them may be on their way at a time.
    struct Words {
        std::conditional_t<(NARROW > 0), unsigned long long, WideWord> word[NARROW + WIDE];
    };
    __device__ Words load(long long tile) const {
        Words words;
        if constexpr (NARROW > 0) {
            words.word[0] = read_word(narrow_ + tile);
        } else {
#pragma unroll
            for (int k = 0; k < WIDE; ++k) words.word[k] = read_word(wide_ + tile * WIDE + k);
        }
        return words;
    }
    /// The same of several tiles, from a multiple of their number on.
    template <int TILES>
    __device__ void load(long long tile, Words (&words)[TILES]) const {
#pragma unroll
        for (int k = 0; k < TILES; ++k) {
            if constexpr (NARROW > 0 && TILES % 2 == 0) {
                if (k % 2 == 0) read_words(narrow_ + tile + k, words[k].word[0], words[k + 1].word[0]);
            } else {
                words[k] = load(tile + k);
            }
        }
    }
    /// Whether they hold the tile's sum, in `value` then.
    __device__ bool holds(const Words& words, T& value) const {
        bool current = true;
        if constexpr (NARROW > 0) {
            const unsigned bytes = static_cast<unsigned>(words.word[0]);
            current = static_cast<unsigned>(words.word[0] >> 32) == epoch_;
            memcpy(&value, &bytes, sizeof(T));
        } else {
            unsigned long long pieces[WIDE];
#pragma unroll
            for (int k = 0; k < WIDE; ++k) {
                pieces[k] = words.word[k].value;
                current = current && words.word[k].epoch == epoch_;
            }
            memcpy(&value, pieces, sizeof(T));
        }
        return current;
    }
    __device__ bool read(long long tile, T& value) const { return holds(load(tile), value); }

   private:
    unsigned long long* narrow_;
    WideWord* wide_;
    unsigned epoch_;
};
