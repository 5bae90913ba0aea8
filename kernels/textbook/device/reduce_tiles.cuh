// Reduce every tile of a vector to one value: the first phase of a device-wide reduction, and the kernel that
// compares block reductions.
//
// Bytes: n elements read, one written for each tile.
#pragma once
#include <cuda_runtime.h>

#include "kernels/tile.cuh"

namespace trial {

/// Reduce in[0 .. count-1] to *sum through shared memory, 1 <= count <= TILE.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Count, class Op>
__device__ void reduce_one_tile(T* tile, const T* in, T* sum, Count count, Op op) {
    load_tile<TILE, THREADS, Map>(tile, in, count);
    Algorithm::template reduce<TILE, THREADS, Map>(tile, count, op);

    if (threadIdx.x == 0) *sum = tile[Map::at(0)];
}

/// sums: one value for each tile of TILE elements of in. Grid: ceil_div(n, TILE) blocks of THREADS threads.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Op>
__global__ void __launch_bounds__(THREADS, blocks_to_fill(THREADS))
    reduce_tiles(const T* in, T* sums, long long n, Op op) {
    // The tile begins at element 1. Otherwise nvcc merges the two neighbouring accesses of a tree's first
    // level into one of twice the width, and the access counts would be the compiler's, not the algorithm's.
    __shared__ T memory[1 + Map::size(TILE)];
    T* const tile = memory + 1;
    const long long base = blockIdx.x * static_cast<long long>(TILE);

    if (base + TILE <= n) {
        reduce_one_tile<Algorithm, TILE, THREADS, Map>(tile, in + base, sums + blockIdx.x, FullTile<TILE>{},
                                                       op);
    } else {
        const int count = static_cast<int>(n - base);
        reduce_one_tile<Algorithm, TILE, THREADS, Map>(tile, in + base, sums + blockIdx.x, count, op);
    }
}

}  // namespace trial
