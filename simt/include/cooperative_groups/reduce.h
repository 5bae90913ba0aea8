// Reductions over the threads of a group. 4-byte integers of a tile take one instruction, as on a GPU; other
// values are exchanged by shuffles.
#pragma once
#include <cooperative_groups.h>

namespace cooperative_groups {

template <class T>
struct plus {
    SIMT_INLINE T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    SIMT_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    SIMT_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    SIMT_INLINE T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    SIMT_INLINE T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    SIMT_INLINE T operator()(T a, T b) const { return a ^ b; }
};

namespace details {

template <class T>
inline constexpr bool is_word = std::is_same_v<T, int> || std::is_same_v<T, unsigned>;

template <class T, class Op>
SIMT_INLINE T reduce_word(unsigned lanes, T value, Op) {
    if constexpr (std::is_same_v<Op, plus<T>>)
        return __reduce_add_sync(lanes, value);
    else if constexpr (std::is_same_v<Op, less<T>>)
        return __reduce_min_sync(lanes, value);
    else if constexpr (std::is_same_v<Op, greater<T>>)
        return __reduce_max_sync(lanes, value);
    else if constexpr (std::is_same_v<Op, bit_and<T>>)
        return T(__reduce_and_sync(lanes, unsigned(value)));
    else if constexpr (std::is_same_v<Op, bit_or<T>>)
        return T(__reduce_or_sync(lanes, unsigned(value)));
    else
        return T(__reduce_xor_sync(lanes, unsigned(value)));
}
template <class T, class Op>
inline constexpr bool has_instruction =
    is_word<T> &&
    (std::is_same_v<Op, plus<T>> || std::is_same_v<Op, less<T>> || std::is_same_v<Op, greater<T>> ||
     std::is_same_v<Op, bit_and<T>> || std::is_same_v<Op, bit_or<T>> || std::is_same_v<Op, bit_xor<T>>);

/// One value per warp of the block.
template <class T>
SIMT_INLINE T* warp_values() {
    static __shared__ T values[32];
    return values;
}

}  // namespace details

/// Every thread of the tile receives the reduction of all their values.
template <unsigned SIZE, class Parent, class T, class Op>
SIMT_INLINE T reduce(const thread_block_tile<SIZE, Parent>& tile, T value, Op op) {
    if constexpr (SIZE > 32) {
        T* const values = details::warp_values<T>();
        value = reduce(thread_block_tile<32>(), value, op);
        const unsigned warp = details::thread_number() / 32, first = warp / (SIZE / 32) * (SIZE / 32);
        if (details::lane() == 0) values[warp] = value;
        tile.sync();
        T sum = values[first];
        for (unsigned i = 1; i < SIZE / 32; ++i) sum = op(sum, values[first + i]);
        tile.sync();
        return sum;
    } else if constexpr (details::has_instruction<T, Op>) {
        return details::reduce_word(tile.simt_lanes(), value, op);
    } else {
        for (unsigned distance = SIZE / 2; distance > 0; distance /= 2)
            value = op(value, tile.shfl_xor(value, distance));
        return value;
    }
}
template <class T, class Op>
SIMT_INLINE T reduce(const coalesced_group& group, T value, Op op) {
    if constexpr (details::has_instruction<T, Op>) {
        return details::reduce_word(group.simt_lanes(), value, op);
    } else {
        for (unsigned distance = 1; distance < group.size(); distance *= 2) {
            const T other = group.shfl_down(value, distance);
            if (group.thread_rank() + distance < group.size()) value = op(value, other);
        }
        return group.shfl(value, 0);
    }
}

}  // namespace cooperative_groups
