// Shuffles of any type: lanes of a warp read one another's registers.
//
//     lane                0   1   2   3   4   ..
//     shuffle_up, 1       .   x0  x1  x2  x3  ..      lanes without a source keep their own
//     shuffle_down, 2     x2  x3  x4  x5  x6  ..
//     shuffle_xor, 1      x1  x0  x3  x2  x5  ..
//     shuffle_from, 2     x2  x2  x2  x2  x2  ..
//
// A value of any trivially copyable type moves as 4-byte words, one shuffle each. All 32 lanes of the warp
// must call; the lane index is threadIdx.x % 32. Source: NVIDIA, CUDA C++ Programming Guide, "Warp shuffle
// functions".
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

namespace trial {

inline constexpr unsigned ALL_LANES = 0xffffffffu;

template <class T, class Move>
__device__ T shuffle_words(T value, Move move) {
    static_assert(std::is_trivially_copyable_v<T>, "values are copied as bytes");
    constexpr int WORDS = (sizeof(T) + 3) / 4;
    unsigned words[WORDS] = {};
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (int k = 0; k < WORDS; ++k) words[k] = move(words[k]);
    memcpy(&value, words, sizeof(T));
    return value;
}

/// The value of the lane `delta` before this one.
template <class T>
__device__ T shuffle_up(T value, unsigned delta) {
    return shuffle_words(value, [=](unsigned word) { return __shfl_up_sync(ALL_LANES, word, delta); });
}

/// The value of the lane `delta` after this one.
template <class T>
__device__ T shuffle_down(T value, unsigned delta) {
    return shuffle_words(value, [=](unsigned word) { return __shfl_down_sync(ALL_LANES, word, delta); });
}

/// The value of the lane whose index is this lane's index XOR `mask`.
template <class T>
__device__ T shuffle_xor(T value, int mask) {
    const auto move = [=](unsigned word) { return __shfl_xor_sync(ALL_LANES, word, mask); };
    return shuffle_words(value, move);
}

/// The value of lane `source`.
template <class T>
__device__ T shuffle_from(T value, int source) {
    return shuffle_words(value, [=](unsigned word) { return __shfl_sync(ALL_LANES, word, source); });
}

}  // namespace trial
