// The sum of a warp's share of a tile, straight from the vector, for who has waited long for it.
//
//     lane           | lane 0: WORDS consecutive words | lane 1: WORDS | .. | lane 31: WORDS |
//     each           adds up its words one by one; then one scan of the warp
//
// The order of operations is that of fast/detail/wave_tiles, so the bits are the same. Work: SHARE - 32 and a
// Kogge-Stone scan. Source: as fast/detail/scan_one_wave.
#pragma once
#include <cuda_runtime.h>

#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"

/// The sum of share `warp` of tile `tile`, which is full, by one warp. Tiles: WaveTiles. A word at a time, as
/// it is seldom called and shall not cost the others registers.
template <class Tiles, class T, class Op>
__device__ T sum_of_share(const T* in, long long tile, int warp, Op op) {
    Prefix<T> own = {{}, false};
#pragma unroll 1
    for (int j = 0; j < Tiles::WORDS; ++j) {
        const int word = threadIdx.x % 32 * Tiles::WORDS + j;
        const T* const from = in + tile * Tiles::TILE + warp * Tiles::SHARE + word * Tiles::PER_WORD;
        T sum = from[0];
#pragma unroll 1
        for (int i = 1; i < Tiles::PER_WORD; ++i) sum = op(sum, from[i]);
        own = {append(own, sum, op), true};
    }
    return shuffle_from(warp_scan(own.value, true, op), 31);
}
