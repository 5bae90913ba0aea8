// The value of the lane whose number differs in given bits, of any type: see shuffle.cuh.
//
//     lane                0   1   2   3   4   ..
//     shuffle_xor, 1      x1  x0  x3  x2  x5  ..
#pragma once
#include "kernels/warp/shuffle.cuh"

/// Called by all lanes of the warp.
template <class T>
__device__ T shuffle_xor(T value, int lanes) {
    return shuffle_words(value, [=](unsigned word) { return __shfl_xor_sync(ALL_LANES, word, lanes); });
}
