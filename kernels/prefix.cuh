// Prefix: all elements before a given element, combined; or nothing, before the first element.
//
// Operators are applied to elements of the vector only. The neutral element is only ever a result: the first
// value of an exclusive scan without a seed. Partial tiles are not padded with it.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

namespace trial {

enum class Form { inclusive, exclusive };

template <class T>
struct Prefix {
    T value;
    bool exists;
};

/// The inclusive value of x: its exclusive prefix, if any, then x itself.
template <class T, class Op>
__device__ T combine(Prefix<T> prefix, T x, Op op) {
    return prefix.exists ? op(prefix.value, x) : x;
}

/// The exclusive prefix of a tile, followed by the exclusive prefix of an element within the tile.
template <class T, class Op>
__device__ Prefix<T> combine(Prefix<T> tile, Prefix<T> within, Op op) {
    return within.exists ? Prefix<T>{combine(tile, within.value, op), true} : tile;
}

/// Whether an operator has a neutral element, static Op::identity(), that converts to T.
template <class Op, class T, class = void>
inline constexpr bool HAS_IDENTITY = false;
template <class Op, class T>
inline constexpr bool HAS_IDENTITY<Op, T, std::void_t<decltype(static_cast<T>(Op::identity()))>> = true;

/// Whether an operator says that left and right may be swapped.
template <class Op, class = void>
inline constexpr bool COMMUTES = false;
template <class Op>
inline constexpr bool COMMUTES<Op, std::void_t<decltype(Op::COMMUTES)>> = Op::COMMUTES;

/// The value that an exclusive scan writes. Where there is neither, the caller has made sure of a seed.
template <class T, class Op>
__device__ T value_or_identity(Prefix<T> prefix, Op) {
    if constexpr (HAS_IDENTITY<Op, T>)
        return prefix.exists ? prefix.value : static_cast<T>(Op::identity());
    else
        return prefix.value;
}

}  // namespace trial
