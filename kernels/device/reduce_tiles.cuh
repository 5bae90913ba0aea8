// Reduce every tile of a vector to one value: the first phase of a device-wide reduction, and the kernel in
// which the block reductions are compared.
//
// Bytes: n elements read, one written a tile.
#pragma once
#include <cuda_runtime.h>

#include "kernels/tile.cuh"

/// Reduce in[0 .. count-1] to *sum by way of shared memory, 1 <= count <= TILE.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Count, class Op>
__device__ void reduce_one_tile(T* tile, const T* in, T* sum, Count count, Op op) {
    constexpr int ITEMS = (TILE + THREADS - 1) / THREADS;
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i < count) tile[Map::at(i)] = in[i];
    }
    __syncthreads();

    Algorithm::template reduce<TILE, THREADS, Map>(tile, count, op);

    if (threadIdx.x == 0) *sum = tile[Map::at(0)];
}

/// sums: one value for each tile of TILE elements of in. Grid: tiles(n, TILE) blocks of THREADS threads.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Op>
__global__ void __launch_bounds__(THREADS, blocks_to_fill(THREADS))
    reduce_tiles(const T* in, T* sums, long long n, Op op) {
    __shared__ T tile[Map::size(TILE)];
    const long long base = blockIdx.x * static_cast<long long>(TILE);

    if (base + TILE <= n) {
        reduce_one_tile<Algorithm, TILE, THREADS, Map>(tile, in + base, sums + blockIdx.x, FullTile<TILE>{},
                                                       op);
    } else {
        const int count = static_cast<int>(n - base);
        reduce_one_tile<Algorithm, TILE, THREADS, Map>(tile, in + base, sums + blockIdx.x, count, op);
    }
}
