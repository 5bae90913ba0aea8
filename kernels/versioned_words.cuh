// Versioned words: blocks, and GPUs, publish values to one another in every call, and nothing is cleared.
//
//     up to 4 bytes      | version | bytes 0 .. 3 |                                      1 word of 8 bytes
//     up to 8 bytes      | version | bytes 0 .. 3 | version | bytes 4 .. 7 |             2
//     up to 32 bytes     | version | bytes 0 .. 3 |  ..  | version | bytes 28 .. 31 |    4, 6 or 8
//
// Each word carries 4 bytes of the value and the version of the call that wrote it. A word is single-copy
// atomic, so its 4 bytes are as recent as its version. A value is published once all of its words carry the
// version of this call. That needs no fence and no separate flag.
//
// Source: Merrill and Garland, NVR-2016-002, 2016, section 4.4, with a state in place of the version; the
// versions are ours.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "kernels/relaxed_words.cuh"
#include "kernels/shuffle.cuh"

namespace trial {

template <class T, Scope SCOPE = Scope::gpu>
struct Versioned {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32, "values are copied as <= 32 bytes");
    using Word = unsigned long long;
    static constexpr int WORDS = sizeof(T) <= 4 ? 1 : (sizeof(T) + 7) / 8 * 2;

    /// The words of a value as loaded: of any version, and possibly of two different ones.
    struct Words {
        Word word[WORDS];
    };

    /// Whether T may have bytes that no member has. They are of no value, and the compiler need not compute
    /// an operation on them: a shift and an or would lose the version.
    static constexpr bool MAY_HAVE_PADDING =
        !std::is_arithmetic_v<T> && !std::has_unique_object_representations_v<T>;

    /// Called by one thread, once for each version. to: a multiple of 8 bytes; of 16 if WORDS > 1.
    __device__ static void store(Word* to, unsigned version, T value) {
        unsigned pieces[WORDS] = {};
        memcpy(pieces, &value, sizeof(T));
        const auto word = [&](int k) {
            Word both;
            if constexpr (MAY_HAVE_PADDING)
                asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(pieces[k]), "r"(version));
            else
                both = static_cast<Word>(version) << 32 | pieces[k];
            return both;
        };
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
    /// VALUES adjacent values. All loads are issued before the first result is used. from: aligned as a
    /// value, and to 16 bytes if VALUES is even.
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

    /// Whether all words carry this version; if so, `value` is set.
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

/// A block's position in the order in which the blocks of a call start. Holders of a ticket are resident.
///
///     | sum of the marks before: 8 bits | number: 24 bits | version of the last call: 32 bits |
///
/// 2^24 tiles of the smallest ring, 12 KB each, are 200 GB.
struct Ticket {
    static constexpr unsigned MAX_NUMBER = (1u << 24) - 1;
    unsigned long long word = 0;
    __device__ unsigned number() const { return steps() & MAX_NUMBER; }              ///< from 0 in each call
    __device__ unsigned version() const { return static_cast<unsigned>(word) + 1; }  ///< of the call
    /// What the tickets before added: if all belong to one call, number() times its step.
    __device__ unsigned steps() const { return static_cast<unsigned>(word >> 32); }
};

/// The part of a workspace that kernels see: the tickets, and words that are 0 before the first call.
///
///     control   | marks | tickets taken in this call | version of the last call |      as in a Ticket
///     words     `capacity` words for the published values
///
/// Versions have 32 bits and wrap around. So that no word is ever old enough to be mistaken for a current
/// one, each call stamps one word that it does not use with the call's version, in turn.
///
/// Calls on one workspace must not overlap. If they do, they share tickets: marks do not add up, tickets are
/// left over, or a wait does not end. Any of these is reported, and ends all waits; results are then invalid.
struct VersionedWords {
    using Word = unsigned long long;
    Word* control;
    Word* words;
    unsigned capacity;
    unsigned step = 1;                      ///< of a ticket: the call's mark in the upper 8 bits, and 1
    unsigned max_polls = 1u << 24;          ///< of one wait: more than 10 s on a GPU
    volatile unsigned* overlaps = nullptr;  ///< on the host: 1 once calls have overlapped; not null

    /// The atomic stays in flight until its result is used.
    __device__ Ticket take_ticket() const { return {atomicAdd(control, static_cast<Word>(step) << 32)}; }

    /// The version of the last call, as a ticket without a number. A block may read it before it takes its
    /// ticket: it changes once all tickets of the call are taken.
    __device__ Ticket last_version() const { return {static_cast<unsigned>(load_relaxed(control))}; }

    /// If this is the last ticket of a call of `tickets` tickets, reset the counter for the next call. Called
    /// by one thread with each ticket that may be the last, or beyond. used: words that the call writes,
    /// counted from the first.
    __device__ void end_call(Ticket ticket, unsigned tickets, unsigned used) const {
        const unsigned number = ticket.number();
        if (number + 1 < tickets) return;
        if (number + 1 > tickets || ticket.steps() != number * step) *overlaps = 1;
        if (number + 1 > tickets) return;
        const unsigned version = ticket.version(), renewed = version % capacity;
        if (renewed >= used) store_relaxed(words + renewed, static_cast<Word>(version) << 32);
        store_relaxed(control, static_cast<Word>(version));
    }
    /// The same of a call that writes the words for which is_used(word). Not one function: the kernels that
    /// were timed keep their machine code.
    template <class IsUsed>
    __device__ void end_call_of(Ticket ticket, unsigned tickets, IsUsed is_used) const {
        const unsigned number = ticket.number();
        if (number + 1 < tickets) return;
        if (number + 1 > tickets || ticket.steps() != number * step) *overlaps = 1;
        if (number + 1 > tickets) return;
        const unsigned version = ticket.version(), renewed = version % capacity;
        if (!is_used(renewed)) store_relaxed(words + renewed, static_cast<Word>(version) << 32);
        store_relaxed(control, static_cast<Word>(version));
    }

    /// Whether to stop waiting: after too many failed polls, or once an overlap is known. Called by a whole
    /// warp after each failed poll. polls: how many have failed.
    __device__ bool give_up(unsigned polls) const {
        constexpr unsigned POLLS_BETWEEN = 4096;  // about 3 ms: the flag is far away
        if (polls % POLLS_BETWEEN != 0) return false;
        if (polls >= max_polls) *overlaps = 1;
        return __any_sync(ALL_LANES, *overlaps != 0);
    }
};

/// The values that one call publishes, indexed by tile or block. APART: words from one value to the next; the
/// words between are not touched.
template <class T, int APART = Versioned<T>::WORDS>
class VersionedArray {
   public:
    using Value = T;
    using Words = typename Versioned<T>::Words;
    static constexpr int WORDS = APART;  ///< for each value
    static_assert(APART >= Versioned<T>::WORDS && (APART == Versioned<T>::WORDS || APART % 2 == 0),
                  "values do not overlap, and pairs of words are aligned");

    /// after: words of the workspace before the array's; even if WORDS is.
    __device__ VersionedArray(const VersionedWords& words, unsigned version, long long after = 0)
        : workspace_(words), words_(words.words + after), version_(version) {}

    /// Prefetch the words of a value into the L2 cache, for the first poll.
    __device__ static void prefetch(const VersionedWords& words, long long number) {
        prefetch_l2(words.words + number * WORDS);  // the words of a value share one sector
    }

    /// Called by one thread, once for each number in each call.
    __device__ void write(long long number, T value) const {
        Versioned<T>::store(words_ + number * WORDS, version_, value);
    }

    /// VALUES values from `first` on; `first` is a multiple of VALUES.
    template <int VALUES>
    __device__ void load(long long first, Words (&values)[VALUES]) const {
        static_assert(APART == Versioned<T>::WORDS, "adjacent values are loaded together");
        Versioned<T>::load(words_ + first * WORDS, values);
    }
    __device__ bool holds(const Words& words, T& value) const {
        return Versioned<T>::holds(words, version_, value);
    }
    __device__ bool read(long long number, T& value) const {
        return Versioned<T>::read(words_ + number * WORDS, version_, value);
    }

    /// Whether to stop waiting for a value, which is then invalid; see VersionedWords.
    __device__ bool give_up(unsigned polls) const { return workspace_.give_up(polls); }

    /// values[k] = value first + 32 k + lane, or value `last` where that is beyond it. The warp polls all
    /// values together until all are published; lanes that polled separately would diverge. Called by a whole
    /// warp.
    template <int ROWS>
    __device__ void await(T (&values)[ROWS], unsigned first, unsigned last) const {
        unsigned polls = 0;
        bool here = true;
        do {
            here = true;
#pragma unroll
            for (int k = 0; k < ROWS; ++k)
                here = here & read(min(first + 32 * k + threadIdx.x % 32, last), values[k]);
        } while (!__all_sync(ALL_LANES, here) && !workspace_.give_up(++polls));
    }

   private:
    const VersionedWords& workspace_;
    unsigned long long* words_;
    unsigned version_;
};

}  // namespace trial
