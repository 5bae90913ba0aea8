// Tiles: a vector is cut into pieces of TILE elements, one for each block; the last one may be shorter.
#pragma once
#include <cuda_runtime.h>

/// Tiles that n elements fill, the last one perhaps in part.
__host__ __device__ constexpr long long tiles(long long n, int tile) { return (n + tile - 1) / tile; }

/// Blocks of `threads` threads that fill a multiprocessor of 2,048 threads. Kernels under comparison are
/// compiled for that many, which leaves them 32 registers: otherwise the compiler's choice of registers, not
/// the algorithm, would decide how many blocks run side by side.
__host__ __device__ constexpr int blocks_to_fill(int threads) { return threads < 64 ? 32 : 2048 / threads; }

/// The number N as a type. A full tile passes its length as FullTile<TILE>, so that the compiler drops every
/// comparison with it; a partial tile passes an int.
template <int N>
struct FullTile {
    __host__ __device__ constexpr operator int() const { return N; }
};
