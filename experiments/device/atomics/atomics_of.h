// Closed forms: the atomics on a sum, by what one of them adds.
#pragma once
#include <algorithm>
#include <type_traits>

#include "kernels/textbook/device/reduce_aggregated.cuh"

namespace harness {

constexpr int ITEMS = 16, THREADS = 256, TILE = ITEMS * THREADS;

/// Atomics on the sum of n elements, a power of two from 256 on. What the lanes of a warp add to one word
/// nvcc adds up by itself, if it knows that the word is one and a 32-bit integer.
template <class T>
long long atomics_of(trial::Adds adds, long long n) {
    const int together = std::is_same_v<T, int> ? 32 : 1;
    const long long threads = std::max<long long>(n / ITEMS, THREADS);
    using trial::Adds;
    switch (adds) {
        case Adds::element_hidden: return n;
        case Adds::element: return n / together;
        case Adds::thread: return threads / together;
        case Adds::warp: return threads / 32;
        case Adds::block: break;
    }
    return trial::ceil_div(n, TILE);
}

}  // namespace harness
