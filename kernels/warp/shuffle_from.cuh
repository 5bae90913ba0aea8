// A shuffle of any type from one lane to all of its warp, beside those of warp/shuffle.
// Source: NVIDIA, CUDA C++ Programming Guide, "Warp shuffle functions".
#pragma once
#include <cuda_runtime.h>

#include "kernels/warp/shuffle.cuh"

/// The value of lane `source`. Called by all lanes of a warp.
template <class T>
__device__ T shuffle_from(T value, int source) {
    return shuffle_words(value, [=](unsigned word) { return __shfl_sync(ALL_LANES, word, source); });
}
