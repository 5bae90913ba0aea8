// Columns: the elements of one iterator that a tile takes, on their way from global memory to the threads.
//
//     loaded       unit k of thread t is unit k THREADS + t of the tile: coalesced, all in flight together
//     in shared    elements in their order
//     taken        thread t takes elements t ITEMS .. t ITEMS + ITEMS - 1
//
// A unit is 16 bytes if the iterator is a pointer and ITEMS elements are whole words of 16 bytes, else one
// element. Words of a thread are odd in number, so that taking them is free of bank conflicts.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels/tile.cuh"

namespace trial {

/// The type of an iterator's elements: its value_type, or what in[0] yields.
template <class Iterator, class = void>
struct ElementOf {
    using Type = std::decay_t<decltype(std::declval<const Iterator&>()[0])>;
};
template <class Iterator>
struct ElementOf<Iterator, std::enable_if_t<!std::is_void_v<typename Iterator::value_type>>> {
    using Type = std::remove_cv_t<typename Iterator::value_type>;
};
template <class T>
struct ElementOf<T*, void> {
    using Type = std::remove_cv_t<T>;
};
template <class Iterator>
using element_of = typename ElementOf<Iterator>::Type;

/// Elements a thread, of columns whose largest element has LARGEST bytes, with at most BYTES bytes of it.
template <int LARGEST, int BYTES>
constexpr int items_per_thread() {
    constexpr int MOST = 24;  // flags of a thread are one word
    if (16 % LARGEST != 0) {
        const int items = BYTES / LARGEST < MOST ? BYTES / LARGEST : MOST;
        return items < 1 ? 1 : (items - 1) / 2 * 2 + 1;
    }
    int words = (BYTES / 16 - 1) / 2 * 2 + 1;
    while (words > 1 && words * 16 / LARGEST > MOST) words -= 2;
    return words * 16 / LARGEST;
}

/// Whether a thread's elements in shared memory are read and written as words.
template <class T, int ITEMS>
inline constexpr bool IN_WORDS_OF_16 = 16 % sizeof(T) == 0 && ITEMS * sizeof(T) % 16 == 0;

/// What this thread takes from a tile in shared memory, and gives back.
template <int ITEMS, class T>
__device__ void take(const T* tile, T (&items)[ITEMS]) {
    if constexpr (IN_WORDS_OF_16<T, ITEMS>) {
        constexpr int WORDS = ITEMS * sizeof(T) / 16;
        uint4 words[WORDS];
#pragma unroll
        for (int k = 0; k < WORDS; ++k)
            words[k] = reinterpret_cast<const uint4*>(tile)[threadIdx.x * WORDS + k];
        memcpy(static_cast<void*>(items), words, sizeof(words));
    } else {
#pragma unroll
        for (int j = 0; j < ITEMS; ++j) items[j] = tile[threadIdx.x * ITEMS + j];
    }
}
template <int ITEMS, class T>
__device__ void give(T* tile, const T (&items)[ITEMS]) {
    if constexpr (IN_WORDS_OF_16<T, ITEMS>) {
        constexpr int WORDS = ITEMS * sizeof(T) / 16;
        uint4 words[WORDS];
        memcpy(words, static_cast<const void*>(items), sizeof(words));
#pragma unroll
        for (int k = 0; k < WORDS; ++k) reinterpret_cast<uint4*>(tile)[threadIdx.x * WORDS + k] = words[k];
    } else {
#pragma unroll
        for (int j = 0; j < ITEMS; ++j) tile[threadIdx.x * ITEMS + j] = items[j];
    }
}

/// A column of a tile in registers. T: what the elements are converted to.
template <class In, int ITEMS, int THREADS, class T = element_of<In>>
class Column {
   public:
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    static constexpr bool IN_WORDS = std::is_same_v<std::remove_const_t<std::remove_pointer_t<In>>, T> &&
                                     std::is_pointer_v<In> && IN_WORDS_OF_16<T, ITEMS>;

    /// Elements base .. base + count - 1 of `in`, 1 <= count; places after them repeat the last one.
    __device__ void load(const In& in, long long base, int count) {
        if constexpr (IN_WORDS) {
            if (count == ITEMS * THREADS && reinterpret_cast<std::uintptr_t>(in + base) % 16 == 0) {
                const Unit* const from = reinterpret_cast<const Unit*>(in + base) + threadIdx.x;
#pragma unroll
                for (int k = 0; k < UNITS; ++k) units_[k] = from[k * THREADS];
                return;
            }
        }
#pragma unroll
        for (int k = 0; k < UNITS; ++k) {
            T items[PER_UNIT];
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j) {
                const int place = (k * THREADS + static_cast<int>(threadIdx.x)) * PER_UNIT + j;
                items[j] = static_cast<T>(in[base + min(place, count - 1)]);
            }
            memcpy(static_cast<void*>(&units_[k]), static_cast<const void*>(items), sizeof(items));
        }
    }

    /// Called by all threads; the tile may be read after a block barrier.
    __device__ void put(T* tile) const {
#pragma unroll
        for (int k = 0; k < UNITS; ++k) reinterpret_cast<Unit*>(tile)[k * THREADS + threadIdx.x] = units_[k];
    }

   private:
    using Unit = std::conditional_t<IN_WORDS, uint4, T>;
    static constexpr int PER_UNIT = sizeof(Unit) / sizeof(T), UNITS = ITEMS / PER_UNIT;
    Unit units_[UNITS];
};

/// out[base + i] = tile[i], 0 <= i < count. Called by all threads after a block barrier.
template <int ITEMS, int THREADS, class T, class Out>
__device__ void store_column(const T* tile, const Out& out, long long base, int count) {
    if constexpr (std::is_same_v<Out, T*> && IN_WORDS_OF_16<T, ITEMS>) {
        if (count == ITEMS * THREADS && reinterpret_cast<std::uintptr_t>(out + base) % 16 == 0) {
            uint4* const to = reinterpret_cast<uint4*>(out + base) + threadIdx.x;
#pragma unroll
            for (int k = 0; k < static_cast<int>(ITEMS * sizeof(T) / 16); ++k)
                to[k * THREADS] = reinterpret_cast<const uint4*>(tile)[k * THREADS + threadIdx.x];
            return;
        }
    }
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        const int i = k * THREADS + static_cast<int>(threadIdx.x);
        if (i < count) out[base + i] = tile[i];
    }
}

}  // namespace trial
