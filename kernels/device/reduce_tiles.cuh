// Reduce every tile of a vector to one value: the first phase of a device-wide reduction, and the
// kernel in which the block reductions are compared.
//
// Bytes: n elements read, one written a tile.
#pragma once
#include <cuda_runtime.h>

/// sums: one value for each tile of TILE elements of in. Grid: ceil(n / TILE) blocks of THREADS threads.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Op>
__global__ void reduce_tiles(const T* in, T* sums, long long n, Op op) {
    __shared__ T tile[Map::size(TILE)];
    const long long base = blockIdx.x * static_cast<long long>(TILE);
    const int count = n - base < TILE ? static_cast<int>(n - base) : TILE;

    for (int i = threadIdx.x; i < count; i += THREADS) tile[Map::at(i)] = in[base + i];
    __syncthreads();

    Algorithm::template reduce<TILE, THREADS, Map>(tile, count, op);

    if (threadIdx.x == 0) sums[blockIdx.x] = tile[Map::at(0)];
}
