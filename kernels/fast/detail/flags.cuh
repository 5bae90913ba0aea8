// Flags of a tile's elements, a word of bits a thread, and where they come from.
//
//     KeyFlags          where a key differs from the one before it
//     OffsetFlags       where a segment begins, by the offsets of segments
//     PredicateFlags    where a predicate holds
//     ColumnFlags       where a column of flags is not 0
//
// Each has, for ITEMS elements a thread: Columns, which are loaded; Space in shared memory, into which they
// are put; and, after a barrier, bits(): bit j is the flag of the thread's element j, 0 after the end. own:
// the thread's keys or elements. Called by all threads.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/columns.cuh"
#include "kernels/shuffle.cuh"

namespace trial {

/// Bits of those of a thread's ITEMS elements that are among the first `count` of the tile.
template <int ITEMS>
__device__ unsigned bits_before_end(int count) {
    const int mine = count - static_cast<int>(threadIdx.x) * ITEMS;
    return mine >= ITEMS ? (1u << ITEMS) - 1 : mine > 0 ? (1u << mine) - 1 : 0;
}

template <class Keys>
struct KeyFlags {
    using Key = element_of<Keys>;
    static constexpr int LARGEST = sizeof(Key), COLUMNS = 1;
    static constexpr bool IS_VECTOR = std::is_pointer_v<Keys>;
    Keys keys;

    template <int ITEMS, int THREADS>
    struct Space {
        alignas(16) Key items[ITEMS * THREADS];
        Key before;  ///< the last key of the tile before
    };
    template <int ITEMS, int THREADS>
    struct Columns {
        Column<Keys, ITEMS, THREADS> keys;
        __device__ void load(const KeyFlags& from, Space<ITEMS, THREADS>& space, long long base, int count) {
            keys.load(from.keys, space.items, base, count);
            if (threadIdx.x == 0 && base > 0) load_element(&space.before, from.keys, base - 1);
        }
        __device__ void put(Space<ITEMS, THREADS>& space) const { keys.put(space.items); }
    };
    template <int ITEMS, int THREADS>
    __device__ unsigned bits(Space<ITEMS, THREADS>& space, long long base, int count) const {
        Key own[ITEMS];
        return bits(space, base, count, own);
    }
    template <int ITEMS, int THREADS>
    __device__ unsigned bits(Space<ITEMS, THREADS>& space, long long base, int count,
                             Key (&own)[ITEMS]) const {
        take<ITEMS>(space.items, own);
        const int first = threadIdx.x * ITEMS;
        const bool begins = base == 0 && first == 0;
        Key left = own[0];
        if (!begins) left = first == 0 ? space.before : space.items[first - 1];
        unsigned bits = 0;
#pragma unroll
        for (int j = 0; j < ITEMS; ++j) {
            if ((j == 0 && begins) || !(left == own[j])) bits |= 1u << j;
            left = own[j];
        }
        return bits & bits_before_end<ITEMS>(count);  // a key may differ from itself, repeated after the end
    }
};

/// The least s in [low, high] with s == high or offsets[s] >= value, to all lanes; offsets ascend. Called
/// by a whole warp: 32 probes a step.
template <class Offsets>
__device__ long long lower_bound_by_warp(const Offsets& offsets, long long low, long long high,
                                         long long value) {
    while (low < high) {
        const long long step = (high - low + 32) / 33, probe = low + (threadIdx.x % 32 + 1) * step - 1;
        const bool below = probe < high && static_cast<long long>(offsets[probe]) < value;
        const int probes_below = __popc(__ballot_sync(ALL_LANES, below));
        if (probes_below < 32) high = min(high, low + (probes_below + 1) * step - 1);
        low += probes_below * step;
    }
    return low;
}

/// The same in [0, count], in one access if the place is within 15 of the guess.
template <class Offsets>
__device__ long long lower_bound_near(const Offsets& offsets, long long count, long long value,
                                      long long guess) {
    const long long base = max(0LL, min(guess - 16, count - 32)), probe = base + threadIdx.x % 32;
    const bool below = probe < count && static_cast<long long>(offsets[probe]) < value;
    const int probes_below = __popc(__ballot_sync(ALL_LANES, below));
    if (probes_below == 0) return lower_bound_by_warp(offsets, 0, base, value);
    const long long found = base + probes_below;
    if (probes_below < 32 || found == count) return found;
    return lower_bound_by_warp(offsets, found, count, value);
}

/// Segment s is elements offsets[s] .. offsets[s + 1] - 1.
template <class Offsets>
struct OffsetFlags {
    static constexpr int LARGEST = 1, COLUMNS = 0;
    Offsets offsets;
    long long segments;

    template <int ITEMS, int THREADS>
    struct Space {
        unsigned bits[ITEMS * THREADS / 32 + 1];
        long long first;  ///< segment that begins in the tile, if any does
    };
    template <int ITEMS, int THREADS>
    struct Columns {
        __device__ void load(const OffsetFlags& from, Space<ITEMS, THREADS>& space, long long base, int) {
            for (int w = threadIdx.x; w < ITEMS * THREADS / 32 + 1; w += THREADS) space.bits[w] = 0;
            if (threadIdx.x >= 32) return;
            const long long first = lower_bound_by_warp(from.offsets, 0, from.segments, base);
            if (threadIdx.x == 0) space.first = first;
        }
        __device__ void put(Space<ITEMS, THREADS>&) const {}
    };
    template <int ITEMS, int THREADS>
    __device__ unsigned bits(Space<ITEMS, THREADS>& space, long long base, int count) const {
        for (long long s = space.first + threadIdx.x; s < segments; s += THREADS) {
            const long long place = static_cast<long long>(offsets[s]) - base;
            if (place >= count) break;
            atomicOr(&space.bits[place / 32], 1u << place % 32);
        }
        __syncthreads();
        const int first = threadIdx.x * ITEMS;
        const unsigned low = space.bits[first / 32], high = space.bits[first / 32 + 1];
        return __funnelshift_r(low, high, first % 32) & ((1u << ITEMS) - 1);
    }
};

/// The same, and a flag where the last segment ends, if elements follow: its total is found there.
template <class Offsets>
struct OffsetAndEndFlags : OffsetFlags<Offsets> {
    template <int ITEMS, int THREADS>
    using Space = typename OffsetFlags<Offsets>::template Space<ITEMS, THREADS>;

    template <int ITEMS, int THREADS>
    __device__ unsigned bits(Space<ITEMS, THREADS>& space, long long base, int count) const {
        if (threadIdx.x == 0) {
            const long long place = static_cast<long long>(this->offsets[this->segments]) - base;
            if (place >= 0 && place < count) atomicOr(&space.bits[place / 32], 1u << place % 32);
        }
        return OffsetFlags<Offsets>::template bits<ITEMS, THREADS>(space, base, count);
    }
};

template <class In, class Predicate>
struct PredicateFlags {
    using Key = element_of<In>;
    static constexpr int LARGEST = sizeof(Key), COLUMNS = 1;
    static constexpr bool IS_VECTOR = std::is_pointer_v<In>;
    In in;
    Predicate predicate;

    template <int ITEMS, int THREADS>
    struct Space {
        alignas(16) Key items[ITEMS * THREADS];
    };
    template <int ITEMS, int THREADS>
    struct Columns {
        Column<In, ITEMS, THREADS> column;
        __device__ void load(const PredicateFlags& from, Space<ITEMS, THREADS>& space, long long base,
                             int count) {
            column.load(from.in, space.items, base, count);
        }
        __device__ void put(Space<ITEMS, THREADS>& space) const { column.put(space.items); }
    };
    template <int ITEMS, int THREADS>
    __device__ unsigned bits(Space<ITEMS, THREADS>& space, long long, int count, Key (&own)[ITEMS]) const {
        take<ITEMS>(space.items, own);
        unsigned bits = 0;
#pragma unroll
        for (int j = 0; j < ITEMS; ++j)
            if (predicate(own[j])) bits |= 1u << j;
        return bits & bits_before_end<ITEMS>(count);
    }
};

struct IsSet {
    template <class Flag>
    __host__ __device__ bool operator()(const Flag& flag) const {
        return static_cast<bool>(flag);
    }
};
template <class Flags>
using ColumnFlags = PredicateFlags<Flags, IsSet>;

}  // namespace trial
