// Tagged value: a value as words that each carry a tag, so that it needs no flag beside it.
//
//     | tag | bytes 0 .. 3 |  | tag | bytes 4 .. 7 |  ..        64 bits each
//
// A word is read and written in one go, and volatile, so it reaches any GPU of the host; a piece is as new as
// its tag, and no fence is needed, as no word speaks for another. Source: Merrill and Garland, NVR-2016-002,
// 2016, section 4.4, with a state in place of the tag; the rest is ours.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

template <class T>
struct TaggedValue {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "a value is its bytes, 16 at most");
    using Word = unsigned long long;
    static constexpr int WORDS = (sizeof(T) + 3) / 4;

    __device__ static void write(volatile Word* words, unsigned tag, T value) {
        unsigned pieces[WORDS] = {};
        memcpy(pieces, &value, sizeof(T));
#pragma unroll
        for (int k = 0; k < WORDS; ++k) words[k] = static_cast<Word>(tag) << 32 | pieces[k];
    }

    /// Whether a value with this tag was there, in `value` then.
    __device__ static bool read(const volatile Word* words, unsigned tag, T& value) {
        unsigned pieces[WORDS];
        bool here = true;
#pragma unroll
        for (int k = 0; k < WORDS; ++k) {
            const Word word = words[k];
            pieces[k] = static_cast<unsigned>(word);
            here = here & (static_cast<unsigned>(word >> 32) == tag);
        }
        memcpy(&value, pieces, sizeof(T));
        return here;
    }
};
