// Columns: the elements of one iterator that a tile takes, on their way from global memory to the threads.
//
//     loaded       word or element k THREADS + t of the tile by thread t: coalesced, all in flight together
//     in shared    elements in their order
//     taken        thread t takes elements t ITEMS .. t ITEMS + ITEMS - 1
//
// They are taken in units: the widest words, of up to 16 bytes, that ITEMS elements consist of, or elements.
// Units of 16 bytes of a thread are odd in number, so that taking them is free of bank conflicts.
#pragma once
#include <cuda_pipeline_primitives.h>
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

constexpr int larger(int a, int b) { return a > b ? a : b; }

/// Elements a thread, of columns whose largest element has LARGEST bytes, with at most BYTES bytes of it.
template <int LARGEST, int BYTES>
constexpr int items_per_thread() {
    constexpr int MOST = 28;  // flags of a thread are one word
    if (16 % LARGEST != 0) {
        const int items = BYTES / LARGEST < MOST ? BYTES / LARGEST : MOST;
        return items < 1 ? 1 : (items - 1) / 2 * 2 + 1;
    }
    int words = (BYTES / 16 - 1) / 2 * 2 + 1;
    while (words > 1 && words * 16 / LARGEST > MOST) words -= 2;
    return words * 16 / LARGEST;
}

/// The widest word that a thread's elements consist of, or an element.
template <class T, int ITEMS>
constexpr int bytes_of_unit() {
    for (int bytes = 16; bytes > static_cast<int>(sizeof(T)); bytes /= 2)
        if (bytes % sizeof(T) == 0 && ITEMS * sizeof(T) % bytes == 0) return bytes;
    return sizeof(T);
}
template <class T, int ITEMS, int BYTES = bytes_of_unit<T, ITEMS>()>
using ColumnUnit = std::conditional_t<
    BYTES == sizeof(T), T,
    std::conditional_t<
        BYTES == 16, uint4,
        std::conditional_t<BYTES == 8, uint2, std::conditional_t<BYTES == 4, unsigned, unsigned short>>>>;

/// What this thread takes from a tile in shared memory, and gives back.
template <int ITEMS, class T>
__device__ void take(const T* tile, T (&items)[ITEMS]) {
    using Unit = ColumnUnit<T, ITEMS>;
    constexpr int UNITS = ITEMS * sizeof(T) / sizeof(Unit);
    Unit units[UNITS];
#pragma unroll
    for (int k = 0; k < UNITS; ++k) units[k] = reinterpret_cast<const Unit*>(tile)[threadIdx.x * UNITS + k];
    memcpy(static_cast<void*>(items), static_cast<const void*>(units), sizeof(units));
}
template <int ITEMS, class T>
__device__ void give(T* tile, const T (&items)[ITEMS]) {
    using Unit = ColumnUnit<T, ITEMS>;
    constexpr int UNITS = ITEMS * sizeof(T) / sizeof(Unit);
    Unit units[UNITS];
    memcpy(static_cast<void*>(units), static_cast<const void*>(items), sizeof(units));
#pragma unroll
    for (int k = 0; k < UNITS; ++k) reinterpret_cast<Unit*>(tile)[threadIdx.x * UNITS + k] = units[k];
}

/// Whether an iterator is a pointer to T.
template <class In, class T>
inline constexpr bool IS_POINTER_TO =
    std::is_pointer_v<In> && std::is_same_v<std::remove_const_t<std::remove_pointer_t<In>>, T>;

/// Wait for the asynchronous copies that this thread has begun.
__device__ inline void wait_for_copies() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

/// *to = in[i], to be there once the thread has waited for its copies. to: in shared memory.
template <class In, class T>
__device__ void load_element(T* to, const In& in, long long i) {
    constexpr bool COPIED = IS_POINTER_TO<In, T> && alignof(T) == sizeof(T) && sizeof(T) >= 4;
    if constexpr (COPIED)
        __pipeline_memcpy_async(to, in + i, sizeof(T));
    else
        *to = static_cast<T>(in[i]);
}

/// A column of a tile on its way to shared memory: of a vector by asynchronous copies, of another iterator
/// by registers. T: what the elements are converted to.
template <class In, int ITEMS, int THREADS, class T = element_of<In>>
class Column {
   public:
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");

    /// Elements base .. base + count - 1 of `in`, 1 <= count; places after them repeat the last one.
    /// tile: may be read once the thread has called put(), waited for its copies, and passed a block barrier.
    __device__ void load(const In& in, T* tile, long long base, int count) {
        const bool whole = count == TILE;
        if constexpr (IS_VECTOR) {
            const bool in_words = reinterpret_cast<std::uintptr_t>(in + base) % 16 == 0;
            if (whole && in_words)
                copy_words(in + base, tile, FullTile<WORDS>{});
            else
                copy_some(in + base, tile, in_words ? count / PER_WORD : 0, count);
        } else if (whole) {
            const long long first = base + threadIdx.x;
#pragma unroll
            for (int k = 0; k < ITEMS; ++k) own_[k] = static_cast<T>(in[first + k * THREADS]);
        } else {
#pragma unroll
            for (int k = 0; k < ITEMS; ++k) {
                const int place = k * THREADS + static_cast<int>(threadIdx.x);
                own_[k] = static_cast<T>(in[base + min(place, count - 1)]);
            }
        }
    }

    __device__ void put(T* tile) const {
        if constexpr (!IS_VECTOR)
#pragma unroll
            for (int k = 0; k < ITEMS; ++k) tile[k * THREADS + threadIdx.x] = own_[k];
    }

   private:
    static constexpr bool IS_VECTOR = IS_POINTER_TO<In, T>;
    static constexpr int TILE = ITEMS * THREADS, WORDS = TILE * sizeof(T) / 16;
    /// Elements of a word; more than there are, if these are not whole ones.
    static constexpr int PER_WORD = 16 % sizeof(T) == 0 ? 16 / sizeof(T) : TILE + 1;

    template <class Count>
    __device__ static void copy_words(const T* from, T* tile, Count words) {
#pragma unroll
        for (int k = 0; k < WORDS; k += THREADS) {
            const int w = k + static_cast<int>(threadIdx.x);
            if (k + THREADS <= words || w < words)
                __pipeline_memcpy_async(reinterpret_cast<uint4*>(tile) + w,
                                        reinterpret_cast<const uint4*>(from) + w, 16);
        }
    }
    /// The first words, then the other elements of `count`, one by one.
    __device__ static void copy_some(const T* from, T* tile, int words, int count) {
        copy_words(from, tile, words);
        for (int i = words * PER_WORD + threadIdx.x; i < count; i += THREADS) load_element(tile + i, from, i);
        const T last = from[count - 1];
        for (int i = count + threadIdx.x; i < TILE; i += THREADS) tile[i] = last;
    }

    T own_[IS_VECTOR ? 1 : ITEMS];
};

/// out[base + i] = tile[i], 0 <= i < count. Called by all threads after a block barrier.
template <int ITEMS, int THREADS, class T, class Out>
__device__ void store_column(const T* tile, const Out& out, long long base, int count) {
    if constexpr (std::is_same_v<Out, T*>) {
        using Unit = ColumnUnit<T, ITEMS>;
        if (count == ITEMS * THREADS && reinterpret_cast<std::uintptr_t>(out + base) % sizeof(Unit) == 0) {
            Unit* const to = reinterpret_cast<Unit*>(out + base) + threadIdx.x;
#pragma unroll
            for (int k = 0; k < static_cast<int>(ITEMS * sizeof(T) / sizeof(Unit)); ++k)
                to[k * THREADS] = reinterpret_cast<const Unit*>(tile)[k * THREADS + threadIdx.x];
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
