// Versioned words: how blocks, and GPUs, publish values to one another, call after call, with nothing to clear.
//
//     up to 4 bytes      | version | bytes 0 .. 3 |                                              1 word of 8 bytes
//     up to 8 bytes      | version | bytes 0 .. 3 | version | bytes 4 .. 7 |                     2
//     up to 16 bytes     | version | bytes 0 .. 3 |  ..  | version | bytes 12 .. 15 |            4
//
// Each word carries 4 bytes of the value and the version of the call that wrote it. A word is single-copy atomic, so
// its 4 bytes are as new as its version: a value is there when all of its words carry the version of this call. No
// word speaks for another, so no fence is needed and no flag beside the value.
//
// Source: Merrill and Garland, NVR-2016-002, 2016, section 4.4, with a state in place of the version; the versions
// are ours.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "kernels/relaxed_words.cuh"
#include "kernels/shuffle.cuh"

template <class T, Scope SCOPE = Scope::gpu>
struct Versioned {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16,
                  "a value is copied as its bytes, at most 16");
    using Word = unsigned long long;
    static constexpr int WORDS = sizeof(T) <= 4 ? 1 : sizeof(T) <= 8 ? 2 : 4;

    /// The words of a value as they were loaded: of any version, and perhaps of two.
    struct Words {
        Word word[WORDS];
    };

    /// Called by one thread, once a version. to: a multiple of 8 bytes, of 16 if there are several words.
    __device__ static void store(Word* to, unsigned version, T value) {
        unsigned pieces[WORDS] = {};
        memcpy(pieces, &value, sizeof(T));
        const auto word = [&](int k) { return static_cast<Word>(version) << 32 | pieces[k]; };
        if constexpr (WORDS == 1) {
            store_relaxed<SCOPE>(to, word(0));
        } else {
#pragma unroll
            for (int k = 0; k < WORDS; k += 2) store_relaxed_pair<SCOPE>(to + k, word(k), word(k + 1));
        }
    }

    __device__ static Words load(const Word* from) {
        Words words[1];
        load(from, words);
        return words[0];
    }
    /// VALUES adjacent values. The loads do not wait for one another. from: aligned as a value, and to 16 bytes if
    /// VALUES is even.
    template <int VALUES>
    __device__ static void load(const Word* from, Words (&values)[VALUES]) {
        if constexpr (VALUES * WORDS % 2 == 0) {
#pragma unroll
            for (int k = 0; k < VALUES * WORDS; k += 2)
                load_relaxed_pair<SCOPE>(from + k, values[k / WORDS].word[k % WORDS],
                                         values[(k + 1) / WORDS].word[(k + 1) % WORDS]);
        } else {
#pragma unroll
            for (int k = 0; k < VALUES; ++k) values[k].word[0] = load_relaxed<SCOPE>(from + k);
        }
    }

    /// Whether the words are those of this version; if so, `value` becomes the value.
    __device__ static bool holds(const Words& words, unsigned version, T& value) {
        unsigned pieces[WORDS];
        bool current = true;
#pragma unroll
        for (int k = 0; k < WORDS; ++k) {
            pieces[k] = static_cast<unsigned>(words.word[k]);
            current = current & (static_cast<unsigned>(words.word[k] >> 32) == version);
        }
        memcpy(&value, pieces, sizeof(T));
        return current;
    }
    __device__ static bool read(const Word* from, unsigned version, T& value) {
        return holds(load(from), version, value);
    }
};

/// A block's turn in a call: blocks that take a ticket are running.
struct Ticket {
    unsigned long long word = 0;
    __device__ unsigned number() const { return static_cast<unsigned>(word); }  ///< from 0 in each call
    __device__ unsigned version() const { return static_cast<unsigned>(word >> 32) + 1; }  ///< of the call
};

/// The part of a workspace that kernels see: words that are 0 before the first call, and the tickets.
///
///     control   | version of the last call | tickets taken in this one |
///     words     capacity of them, for the values of a call
///
/// Versions have 32 bits. Each call gives one word that it leaves unused the call's version, in turn, so that no
/// word is old enough to be mistaken for a current one when versions start over.
struct VersionedWords {
    using Word = unsigned long long;
    Word* control;
    Word* words;
    unsigned capacity;

    /// The result is on its way until it is looked at.
    __device__ Ticket take_ticket() const { return {atomicAdd(control, Word{1})}; }

    /// Let the next call's tickets begin. Called by one thread when the last ticket of this call has been taken.
    /// used: words that this call writes, from the first on.
    __device__ void end_call(unsigned version, unsigned used) const {
        const unsigned renewed = version % capacity;
        if (renewed >= used) store_relaxed(words + renewed, static_cast<Word>(version) << 32);
        store_relaxed(control, static_cast<Word>(version) << 32);
    }
};

/// The values of one call: one for each tile or block, by its number.
template <class T>
class VersionedArray {
   public:
    using Value = T;
    using Words = typename Versioned<T>::Words;
    static constexpr int WORDS = Versioned<T>::WORDS;  ///< of a value

    __device__ VersionedArray(const VersionedWords& words, unsigned version)
        : words_(words.words), version_(version) {}

    /// Bring the words of a value to the L2 cache, for the first poll.
    __device__ static void prefetch(const VersionedWords& words, long long number) {
        prefetch_l2(words.words + number * WORDS);  // those of a value lie in one sector
    }

    /// Called by one thread, once for each number and call.
    __device__ void write(long long number, T value) const {
        Versioned<T>::store(words_ + number * WORDS, version_, value);
    }

    /// VALUES values from `first` on, which is a multiple of VALUES.
    template <int VALUES>
    __device__ void load(long long first, Words (&values)[VALUES]) const {
        Versioned<T>::load(words_ + first * WORDS, values);
    }
    __device__ bool holds(const Words& words, T& value) const {
        return Versioned<T>::holds(words, version_, value);
    }
    __device__ bool read(long long number, T& value) const {
        return Versioned<T>::read(words_ + number * WORDS, version_, value);
    }

    /// values[k] = value first + 32 k + lane, up to value `last`, and anything after it: all are polled together
    /// until all are there. If each lane polled for itself, the lanes would diverge. Called by a whole warp. The
    /// workspace has room for 32 ROWS values from `first` on.
    template <int ROWS>
    __device__ void await(T (&values)[ROWS], unsigned first, unsigned last) const {
        const int lane = threadIdx.x % 32, left = static_cast<int>(last - first) - lane;
        bool here = true;
        do {
            here = true;
#pragma unroll
            for (int k = 0; k < ROWS; ++k)
                here = here & (read(first + 32 * k + lane, values[k]) | (left < 32 * k));
        } while (!__all_sync(ALL_LANES, here));
    }

   private:
    unsigned long long* words_;
    unsigned version_;
};
