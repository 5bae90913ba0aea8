// Tiles: a vector is cut into tiles of TILE elements, one for each block; the last tile may be shorter.
#pragma once
#include <cuda_runtime.h>

namespace trial {

/// n / divisor, rounded up. n >= 0, divisor > 0.
__host__ __device__ constexpr long long ceil_div(long long n, int divisor) {
    return (n + divisor - 1) / divisor;
}

/// Blocks of `threads` threads that fill a multiprocessor of 2,048 threads. Kernels that are compared with
/// one another are compiled for that many resident blocks, which caps them at 32 registers a thread:
/// occupancy is then decided by the algorithm, not by the compiler's register allocation.
__host__ __device__ constexpr int blocks_to_fill(int threads) { return threads < 64 ? 32 : 2048 / threads; }

/// The number N as a type. The count of a full tile is a FullTile<TILE>, so the compiler removes every bounds
/// check; the count of a partial tile is an int.
template <int N>
struct FullTile {
    __host__ __device__ constexpr operator int() const { return N; }
};

/// Copy in[0 .. count-1] to tile[Map::at(0 .. count-1)], count <= TILE, with coalesced loads. Called by all
/// THREADS threads of the block; ends with a block barrier.
template <int TILE, int THREADS, class Map, class T, class Count>
__device__ void load_tile(T* tile, const T* in, Count count) {
    constexpr int ITEMS_PER_THREAD = (TILE + THREADS - 1) / THREADS;
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i < count) tile[Map::at(i)] = in[i];
    }
    __syncthreads();
}

/// Copy tile[Map::at(0 .. count-1)] to out[0 .. count-1], adjacent threads adjacent elements; a block of
/// THREADS threads, after a barrier.
template <int TILE, int THREADS, class Map, class T, class Count>
__device__ void store_tile(const T* tile, T* out, Count count) {
#pragma unroll
    for (int k = 0; k < (TILE + THREADS - 1) / THREADS; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i < count) out[i] = tile[Map::at(i)];
    }
}

/// The same one element late: out[0] = first, out[i] = tile[Map::at(i - 1)].
template <int TILE, int THREADS, class Map, class T, class Count>
__device__ void store_tile_shifted(const T* tile, T first, T* out, Count count) {
#pragma unroll
    for (int k = 0; k < (TILE + THREADS - 1) / THREADS; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i < count) out[i] = i == 0 ? first : tile[Map::at(i - 1)];
    }
}

}  // namespace trial
