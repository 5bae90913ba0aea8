// Prefix: the combination of all elements before an element, or nothing, as there is before the first one.
//
// An operator is applied to elements of the vector only. Its neutral element is the value of an exclusive
// scan where nothing comes before, and goes into no operation: a partial tile is not filled up with it.
#pragma once
#include <cuda_runtime.h>

enum class Form { inclusive, exclusive };

template <class T>
struct Prefix {
    T value;
    bool exists;
};

/// What comes before an element x, and x itself.
template <class T, class Op>
__device__ T combine(Prefix<T> before, T x, Op op) {
    return before.exists ? op(before.value, x) : x;
}

/// Everything before a tile, then everything before an element within it.
template <class T, class Op>
__device__ Prefix<T> combine(Prefix<T> tile, Prefix<T> within, Op op) {
    return within.exists ? Prefix<T>{combine(tile, within.value, op), true} : tile;
}

/// The value of an exclusive scan.
template <class T, class Op>
__device__ T value_or_identity(Prefix<T> before, Op) {
    return before.exists ? before.value : Op::identity();
}
