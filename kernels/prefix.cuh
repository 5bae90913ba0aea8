// Prefix: all elements before a given element, combined; or nothing, before the first element.
//
// Operators are applied to elements of the vector only. The neutral element is only ever a result: the first
// value of an exclusive scan without a seed. Partial tiles are not padded with it.
#pragma once
#include <cuda_runtime.h>

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

/// The value that an exclusive scan writes.
template <class T, class Op>
__device__ T value_or_identity(Prefix<T> prefix, Op) {
    return prefix.exists ? prefix.value : Op::identity();
}
