// Scan every tile of a vector separately: the first phase of a device-wide scan, and the kernel that compares
// block scans.
//
//     in      | tile 0 | tile 1 | tile 2 | .. |
//     out     | scan   | scan   | scan   | .. |
//     sums        s0       s1       s2     ..
//
// Bytes: n elements read, n written, and one sum for each tile.
#pragma once
#include <cuda_runtime.h>

#include "kernels/tile.cuh"

namespace trial {

/// Scan in[0 .. count-1] into out through shared memory, count <= TILE. *sum: the total, unless null.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Count, class Op>
__device__ void scan_one_tile(T* tile, const T* in, T* out, T* sum, Count count, Op op) {
    load_tile<TILE, THREADS, Map>(tile, in, count);
    Algorithm::template scan<TILE, THREADS, Map>(tile, count, op);

    constexpr int ITEMS_PER_THREAD = (TILE + THREADS - 1) / THREADS;
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i >= count) continue;
        const T prefix = tile[Map::at(i)];
        if (sum != nullptr && i == count - 1) *sum = Algorithm::inclusive ? prefix : op(prefix, in[i]);
        out[i] = prefix;
    }
}

/// out: n elements, each tile of TILE scanned by Algorithm, in Algorithm's form; may be in. sums: the total
/// of each tile, or null. Grid: ceil_div(n, TILE) blocks of THREADS threads.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Op>
__global__ void __launch_bounds__(THREADS, blocks_to_fill(THREADS))
    scan_tiles(const T* in, T* out, T* sums, long long n, Op op) {
    // The tile begins at element 1. Otherwise nvcc merges the two neighbouring accesses of a tree's first
    // level into one of twice the width, and the access counts would be the compiler's, not the algorithm's.
    __shared__ T memory[1 + Map::size(TILE)];
    T* const tile = memory + 1;
    const long long base = blockIdx.x * static_cast<long long>(TILE);
    T* const sum = sums == nullptr ? nullptr : sums + blockIdx.x;

    if (base + TILE <= n) {
        scan_one_tile<Algorithm, TILE, THREADS, Map>(tile, in + base, out + base, sum, FullTile<TILE>{}, op);
    } else {
        const int count = static_cast<int>(n - base);
        scan_one_tile<Algorithm, TILE, THREADS, Map>(tile, in + base, out + base, sum, count, op);
    }
}

}  // namespace trial
