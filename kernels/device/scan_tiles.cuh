// Scan every tile of a vector on its own: the first phase of a device-wide scan, and the kernel in
// which the block scans are compared.
//
//     in      | tile 0 | tile 1 | tile 2 | .. |
//     out     | scan   | scan   | scan   | .. |
//     sums        s0       s1       s2     ..
//
// Bytes: n elements read, n written, and a sum a tile.
#pragma once
#include <cuda_runtime.h>

/// Tiles of `tile` elements that n elements fill, the last one perhaps in part.
__host__ __device__ constexpr long long tiles(long long n, int tile) {
    return (n + tile - 1) / tile;
}

/// out: n elements, each tile of TILE scanned by Algorithm, inclusive or exclusive as it is; may be in.
/// sums: the total of each tile, or null. Grid: tiles(n, TILE) blocks of THREADS threads.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Op>
__global__ void scan_tiles(const T* in, T* out, T* sums, long long n, Op op) {
    __shared__ T tile[Map::size(TILE)];
    const long long base = blockIdx.x * static_cast<long long>(TILE);
    const int count = n - base < TILE ? static_cast<int>(n - base) : TILE;

    for (int i = threadIdx.x; i < count; i += THREADS) tile[Map::at(i)] = in[base + i];
    __syncthreads();

    Algorithm::template scan<TILE, THREADS, Map>(tile, count, op);

    for (int i = threadIdx.x; i < count; i += THREADS) {
        const T prefix = tile[Map::at(i)];
        if (sums != nullptr && i == count - 1)
            sums[blockIdx.x] = Algorithm::inclusive ? prefix : op(prefix, in[base + i]);
        out[base + i] = prefix;
    }
}
