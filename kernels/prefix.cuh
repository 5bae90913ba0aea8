// Prefix: all elements before a given element, combined; or nothing, before the first element.
//
// Operators are given neighbours of the vector only, unless they say that they may be given any two values
// (IS_TOTAL). The neutral element is only ever a result: the first value of an exclusive scan without a seed.
// Partial tiles are not padded with it.
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

/// Whether an operator says that it may be given any two values of its type. It is then applied to what lies
/// after the end of a vector, too, whose results nobody uses; else to neighbours alone.
template <class Op, class = void>
inline constexpr bool IS_TOTAL = false;
template <class Op>
inline constexpr bool IS_TOTAL<Op, std::void_t<decltype(Op::IS_TOTAL)>> = Op::IS_TOTAL;

/// The value that an exclusive scan writes. Where there is neither, the caller has made sure of a seed.
template <class T, class Op>
__device__ T value_or_identity(Prefix<T> prefix, Op) {
    if constexpr (HAS_IDENTITY<Op, T>)
        return prefix.exists ? prefix.value : static_cast<T>(Op::identity());
    else
        return prefix.value;
}

}  // namespace trial
