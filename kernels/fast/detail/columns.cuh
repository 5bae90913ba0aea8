// Columns: the elements of one iterator that a tile takes, on their way from global memory to the threads.
//
//     loaded       unit k of thread t is unit k THREADS + t of the tile: coalesced, all in flight together
//     in shared    elements in their order
//     taken        thread t takes elements t ITEMS .. t ITEMS + ITEMS - 1
//
// A unit is 16, 8 or 4 bytes if the iterator is a pointer and ITEMS elements are whole units, else one
// element. Units of 16 bytes of a thread are odd in number, so that taking them is free of bank conflicts.
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

constexpr int larger(int a, int b) { return a > b ? a : b; }

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

/// The widest word that a thread's elements consist of, or an element.
template <class T, int ITEMS>
constexpr int bytes_of_unit() {
    for (int bytes = 16; bytes > static_cast<int>(sizeof(T)); bytes /= 2)
        if (bytes >= 4 && bytes % sizeof(T) == 0 && ITEMS * sizeof(T) % bytes == 0) return bytes;
    return sizeof(T);
}
template <class T, int ITEMS, int BYTES = bytes_of_unit<T, ITEMS>()>
using ColumnUnit = std::conditional_t<
    BYTES == sizeof(T), T,
    std::conditional_t<BYTES == 16, uint4, std::conditional_t<BYTES == 8, uint2, unsigned>>>;

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

/// A column of a tile in registers. T: what the elements are converted to.
template <class In, int ITEMS, int THREADS, class T = element_of<In>>
class Column {
   public:
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    static constexpr bool IS_POINTER =
        std::is_pointer_v<In> && std::is_same_v<std::remove_const_t<std::remove_pointer_t<In>>, T>;

    /// Elements base .. base + count - 1 of `in`, 1 <= count; places after them repeat the last one.
    __device__ void load(const In& in, long long base, int count) {
        const bool whole = count == ITEMS * THREADS;
        if constexpr (IS_POINTER) {
            if (whole && reinterpret_cast<std::uintptr_t>(in + base) % sizeof(Unit) == 0) {
                const Unit* const from = reinterpret_cast<const Unit*>(in + base) + threadIdx.x;
#pragma unroll
                for (int k = 0; k < UNITS; ++k) units_[k] = from[k * THREADS];
                return;
            }
        } else if (whole) {
            return load_each(in, base, [](int place) { return place; });
        }
        load_each(in, base, [=](int place) { return min(place, count - 1); });
    }

    /// Called by all threads; the tile may be read after a block barrier.
    __device__ void put(T* tile) const {
#pragma unroll
        for (int k = 0; k < UNITS; ++k) reinterpret_cast<Unit*>(tile)[k * THREADS + threadIdx.x] = units_[k];
    }

   private:
    using Unit = std::conditional_t<IS_POINTER, ColumnUnit<T, ITEMS>, T>;
    static constexpr int PER_UNIT = sizeof(Unit) / sizeof(T), UNITS = ITEMS / PER_UNIT;

    template <class PlaceOf>
    __device__ void load_each(const In& in, long long base, PlaceOf place_of) {
#pragma unroll
        for (int k = 0; k < UNITS; ++k) {
            T items[PER_UNIT];
#pragma unroll
            for (int j = 0; j < PER_UNIT; ++j) {
                const int place = (k * THREADS + static_cast<int>(threadIdx.x)) * PER_UNIT + j;
                items[j] = static_cast<T>(in[base + place_of(place)]);
            }
            memcpy(static_cast<void*>(&units_[k]), static_cast<const void*>(items), sizeof(items));
        }
    }

    Unit units_[UNITS];
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
