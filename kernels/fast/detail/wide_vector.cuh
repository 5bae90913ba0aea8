// Wide vector: elements of any size at any address, in vector units that are loaded as 16-byte words.
//
//     bytes        |  ..  16  ..  |  ..  16  ..  |  ..  16  ..  |  ..  16  ..  |      aligned words
//     elements             x0  x1   x2  x3  x4  x5   x6  x7  x8  x9   xa
//     unit         |      0       |      1       |      2       |      3       |
//     place           0  1   2   3   4   5   6   7   8   9   10  11  12  13         skip = 2, end = 13
//
// A vector unit is the shortest range of whole elements that is also a range of whole words: one word if the
// element size divides 16, three words for 12 bytes. The first unit may lack elements at its front, and the
// last one at its end: these two are read element by element, all others by words. If no element begins at a
// word (for instance 16-byte elements at an address of 8 modulo 16), all units are read element by element.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "kernels/tile.cuh"

namespace trial {

template <class T>
class WideVector {
   public:
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "elements are copied as <= 16 bytes");
    static constexpr bool IN_WORDS = true;
    static constexpr int BYTES = std::lcm(16, static_cast<int>(sizeof(T)));  ///< of a unit
    static constexpr int WORDS = BYTES / 16;                                 ///< of a unit
    static constexpr int PER_UNIT = BYTES / sizeof(T);                       ///< elements
    using Value = T;                                                         ///< that a vector yields
    using Near = T;                                                          ///< see MappedVector
    using Word = unsigned __int128;  // a single access on the GPU and on the SIMT machine
    struct Items {
        T item[PER_UNIT];
    };
    struct Unit {
        Word word[WORDS];
        __device__ Items items() const {
            Items items;
            memcpy(&items, word, BYTES);
            return items;
        }
    };

    /// in[0 .. n-1], n >= 0, on the device; aligned as its type.
    __host__ __device__ WideVector(const T* in, long long n) : in_(in), end_(n) {
        const auto address = reinterpret_cast<std::uintptr_t>(in);
        while (skip_ < PER_UNIT && (address - skip_ * sizeof(T)) % 16 != 0) ++skip_;
        in_words_ = skip_ < PER_UNIT;
        if (!in_words_) skip_ = 0;
        end_ += skip_;
        whole_end_ = end_ / PER_UNIT;
    }

    __host__ __device__ bool is_empty() const { return end_ == skip_; }

    /// Number of units that hold elements.
    __host__ __device__ long long units() const { return is_empty() ? 0 : ceil_div(end_, PER_UNIT); }

    /// Whether these units are full, that is, lack no element.
    __device__ bool are_whole(long long first, int count) const {
        return first >= whole_begin() && first + count <= whole_end_;
    }

    /// Whether all units of the vector are full and read by words.
    bool is_whole() const { return in_words_ && skip_ == 0 && end_ % PER_UNIT == 0; }

    __device__ bool has_whole_units() const { return whole_begin() < whole_end_; }
    __device__ long long nearest_whole(long long unit) const {
        return max(whole_begin(), min(unit, whole_end_ - 1));
    }

    /// Load a full unit.
    __device__ Unit read(long long unit) const {
        if constexpr (!ALWAYS_IN_WORDS) {
            if (!in_words_) {
                Items items;
#pragma unroll
                for (int k = 0; k < PER_UNIT; ++k) items.item[k] = in_[unit * PER_UNIT + k];
                return unit_of(items);
            }
        }
        const auto* const from = reinterpret_cast<const Word*>(in_ - skip_) + unit * WORDS;
        Unit read;
#pragma unroll
        for (int k = 0; k < WORDS; ++k) read.word[k] = from[k];
        return read;
    }

    /// The values of a full unit, as read.
    __device__ static Items items_of(const Unit& unit, int) { return unit.items(); }

    __device__ static Unit unit_of(const Items& items) {
        Unit unit;
        memcpy(unit.word, &items, BYTES);
        return unit;
    }

    /// Items of the unit that are elements: begin_of <= k < end_of; possibly none.
    __device__ int begin_of(long long unit) const { return unit > 0 ? 0 : skip_; }
    __device__ int end_of(long long unit) const {
        const long long left = end_ - unit * PER_UNIT;
        return static_cast<int>(left < PER_UNIT ? left : PER_UNIT);
    }
    __device__ bool has(long long unit, int k) const { return begin_of(unit) <= k && k < end_of(unit); }

    /// An item that is an element, and its index in the vector.
    __device__ T item(long long unit, int k, int = 0) const { return in_[unit * PER_UNIT + k - skip_]; }
    __device__ long long index(long long unit, int k) const { return unit * PER_UNIT + k - skip_; }
    __device__ static T value_of(const T& near, long long) { return near; }

   private:
    __device__ long long whole_begin() const { return skip_ > 0 ? 1 : 0; }

    /// One of PER_UNIT consecutive elements begins at a word if addresses are multiples of gcd(16, element
    /// size).
    static constexpr bool ALWAYS_IN_WORDS = alignof(T) % std::gcd(16, static_cast<int>(sizeof(T))) == 0;

    const T* in_;
    int skip_ = 0;             ///< places of unit 0 before the first element
    long long end_;            ///< place after the last element
    long long whole_end_ = 0;  ///< unit after the last one that is complete at its end
    bool in_words_ = true;
};

/// The elements of an iterator, by units of a few: in the place of a WideVector where there is no address.
/// One lane adds up a unit without a shuffle; if elements come from memory, its sectors are in the L1 cache
/// after the first.
template <class Iterator, class T>
struct ItemVector {
    static constexpr bool IN_WORDS = false;
    static constexpr int PER_UNIT = sizeof(T) <= 8 ? 8 : 1, WORDS = (sizeof(T) + 15) / 16;
    using Value = T;
    using Near = T;
    struct Items {
        T item[PER_UNIT];
    };
    using Unit = Items;
    Iterator in;
    long long n;

    __host__ __device__ long long units() const { return ceil_div(n, PER_UNIT); }
    bool is_whole() const { return n % PER_UNIT == 0; }
    __device__ bool are_whole(long long first, int count) const { return (first + count) * PER_UNIT <= n; }
    __device__ bool has_whole_units() const { return n >= PER_UNIT; }
    __device__ long long nearest_whole(long long unit) const { return min(unit, n / PER_UNIT - 1); }
    __device__ Unit read(long long unit) const {
        Unit items;
#pragma unroll
        for (int k = 0; k < PER_UNIT; ++k) items.item[k] = item(unit, k);
        return items;
    }
    __device__ static Items items_of(const Unit& unit, int) { return unit; }
    __device__ static int begin_of(long long) { return 0; }
    __device__ int end_of(long long unit) const {
        return static_cast<int>(max(0LL, min(n - unit * PER_UNIT, static_cast<long long>(PER_UNIT))));
    }
    __device__ T item(long long unit, int k, int = 0) const { return static_cast<T>(in[index(unit, k)]); }
    __device__ static long long index(long long unit, int k) { return unit * PER_UNIT + k; }
    __device__ static T value_of(const T& near, long long) { return near; }
};

/// A vector whose elements are read as those of Vector and become map.near(element, place). place: behind
/// the first unit of their batch. Such values are combined within a batch, and become map.value(near, index
/// of place 0): an index costs 32 bits until then.
template <class Vector, class Map>
struct MappedVector : Vector {
    static constexpr int PER_UNIT = Vector::PER_UNIT;
    using Value = typename Map::Value;
    using Near = typename Map::Near;
    struct Items {
        Near item[PER_UNIT];
    };
    Map map;

    MappedVector(const Vector& vector, Map map_) : Vector(vector), map(map_) {}
    /// number: of the unit, in its batch.
    __device__ Items items_of(const typename Vector::Unit& unit, int number) const {
        const typename Vector::Items read = Vector::items_of(unit, number);
        Items items;
#pragma unroll
        for (int k = 0; k < PER_UNIT; ++k) items.item[k] = map.near(read.item[k], number * PER_UNIT + k);
        return items;
    }
    __device__ Near item(long long unit, int k, int number) const {
        return map.near(Vector::item(unit, k), number * PER_UNIT + k);
    }
    /// first: unit of the batch.
    __device__ Value value_of(const Near& near, long long first) const {
        return map.value(near, this->index(first, 0));
    }
};

}  // namespace trial
