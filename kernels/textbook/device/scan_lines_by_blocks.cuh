// Inclusive scan of every row, or of every column, of a matrix; a block scans a line, tile after tile.
//
//     a line       | tile 0 | tile 1 | tile 2 | .. |       elements `step` apart: 1 along a row,
//     block        scan, s0 -> + scan, s1 -> + scan ..     the number of columns along a column
//
//     row-major    0  1  2  3  4  5  6  7        along a row: 32 lanes read 32 neighbours, 4 sectors
//     matrix       8  9 10 11 12 13 14 15        along a column: lane l reads row l, a sector for each lane
//                 16 17 18 19 20 21 22 23
//
// The same kernel along both axes: nothing but the distance of neighbours differs. The prefix of a tile is
// added to its first element. Parallel in the lines, and in the elements of one tile. A line of t tiles: work
// t times that of textbook/block/scan_raking, and t - 1; 5 t barriers. Bytes: n elements read, n written;
// sectors: of floats along columns, if there are 8 or more of them, 8 times as many. launches 1.
// Source: tiles one after another, with the sum carried: Kirk and Hwu, Programming Massively Parallel
// Processors, chapter on prefix sum (thread coarsening); coalescing: NVIDIA, CUDA C++ Best Practices Guide.
#pragma once
#include <cuda_runtime.h>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/block/scan_raking.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// The lines of a matrix along one axis. Of a line, element i lies i * step after its first; the first
/// element of a line lies `apart` after that of the line before.
struct Lines {
    long long count, length, apart, step;

    static Lines rows(long long rows, long long columns) { return {rows, columns, columns, 1}; }
    static Lines columns(long long rows, long long columns) { return {columns, rows, 1, columns}; }
};

/// Scan `count` elements of a line, 1 <= count <= TILE, after `before`. Returns their inclusive prefix.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Count, class Op>
__device__ Prefix<T> scan_tile_of_line(T* tile, const T* in, T* out, long long step, Prefix<T> before,
                                       Count count, Op op) {
#pragma unroll
    for (int k = 0; k < TILE / THREADS; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i >= count) continue;
        const T x = in[i * step];
        tile[Map::at(i)] = i == 0 ? combine(before, x, op) : x;
    }
    __syncthreads();
    Algorithm::template scan<TILE, THREADS, Map>(tile, count, op);
#pragma unroll
    for (int k = 0; k < TILE / THREADS; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i < count) out[i * step] = tile[Map::at(i)];
    }
    const T sum = tile[Map::at(count - 1)];
    __syncthreads();
    return {sum, true};
}

/// Grid: a block for every line.
template <class Algorithm, int TILE, int THREADS, class Map, class T, class Op>
__global__ void __launch_bounds__(THREADS) scan_line_a_block(const T* in, T* out, Lines lines, Op op) {
    static_assert(TILE % THREADS == 0, "as many elements a thread");
    __shared__ T tile[Map::size(TILE)];
    in += blockIdx.x * lines.apart;
    out += blockIdx.x * lines.apart;

    Prefix<T> before = {{}, false};
    long long base = 0;
    for (; base + TILE <= lines.length; base += TILE)
        before = scan_tile_of_line<Algorithm, TILE, THREADS, Map>(
            tile, in + base * lines.step, out + base * lines.step, lines.step, before, FullTile<TILE>{}, op);
    const int rest = static_cast<int>(lines.length - base);
    if (rest > 0)
        scan_tile_of_line<Algorithm, TILE, THREADS, Map>(
            tile, in + base * lines.step, out + base * lines.step, lines.step, before, rest, op);
}

/// Scan every line, on the device; out may be in.
template <int ITEMS_PER_THREAD = 8, int THREADS = 256, class T, class Op>
cudaError_t scan_lines_by_blocks(const T* in, T* out, Lines lines, Op op, cudaStream_t stream) {
    if (lines.count <= 0 || lines.length <= 0) return cudaSuccess;
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    return launch(scan_line_a_block<Raking<ITEMS_PER_THREAD>, TILE, THREADS, Padded<>, T, Op>,
                  static_cast<unsigned>(lines.count), THREADS, stream, in, out, lines, op);
}

}  // namespace trial
