// What waiting for global memory costs: one thread loads the place of its next load.
//
//     next    place -> place + STRIDE mod n       n places, more than a cache holds; all are visited
#pragma once
#include <cuda_runtime.h>

namespace trial {

namespace rates {

/// Odd, so that all places of a power of two are visited, and far apart.
inline constexpr unsigned STRIDE = 0x9e3779b1u;

/// *out: the place after `hops` loads from place 0. Grid: 1 block of 1 thread.
template <class T>
__global__ void follow(const T* next, T* out, int hops) {
    T place = 0;
    for (int h = 0; h < hops; ++h) place = next[place];
    *out = place;
}

}  // namespace rates

}  // namespace trial
