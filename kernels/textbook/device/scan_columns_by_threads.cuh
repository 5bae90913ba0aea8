// Inclusive scan of every column of a matrix; a thread walks down its column.
//
//     thread        0    1    2    3   ..  columns - 1
//     row 0         x    x    x    x   ..    x            a warp reads 32 neighbours of a row: coalesced
//                   |    |    |    |         |
//     row 1         +    +    +    +   ..    +
//                   |    |    |    |         |
//     row 2         +    +    +    +   ..    +            ROWS_AHEAD rows are loaded before they are added
//
// Parallel in the columns only: c columns keep c threads busy, however many rows there are. r rows: work
// r - 1 a column, the least there is; depth r - 1. No shuffle, no barrier. Bytes: n elements read, n written.
// launches 1.
// Source: PyTorch, aten/src/ATen/native/cuda/ScanUtils.cuh, tensor_kernel_scan_outer_dim, which cumsum calls
// along every axis but the last; loading several rows ahead is ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Scan `rows` elements, each `columns` after the one before, after the prefix `before`; out may be in.
template <int ROWS_AHEAD, class T, class Op>
__device__ void walk_down(const T* in, T* out, long long rows, long long columns, Prefix<T> before, Op op) {
    for (long long row = 0; row < rows; row += ROWS_AHEAD) {
        T next[ROWS_AHEAD] = {};
#pragma unroll
        for (int k = 0; k < ROWS_AHEAD; ++k)
            if (row + k < rows) next[k] = in[(row + k) * columns];
#pragma unroll
        for (int k = 0; k < ROWS_AHEAD; ++k) {
            if (row + k >= rows) continue;
            before = {combine(before, next[k], op), true};
            out[(row + k) * columns] = before.value;
        }
    }
}

/// in, out: rows x columns elements, row-major. Grid: a thread for every column.
template <int ROWS_AHEAD, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS)
    scan_column_a_thread(const T* in, T* out, long long rows, long long columns, Op op) {
    const long long column = blockIdx.x * static_cast<long long>(THREADS) + threadIdx.x;
    if (column < columns)
        walk_down<ROWS_AHEAD>(in + column, out + column, rows, columns, Prefix<T>{{}, false}, op);
}

/// out[r][c] = in[0][c] op .. op in[r][c], on the device; out may be in.
template <int ROWS_AHEAD = 8, int THREADS = 256, class T, class Op>
cudaError_t scan_columns_by_threads(const T* in, T* out, long long rows, long long columns, Op op,
                                    cudaStream_t stream) {
    if (rows <= 0 || columns <= 0) return cudaSuccess;
    return launch(scan_column_a_thread<ROWS_AHEAD, THREADS, T, Op>,
                  static_cast<unsigned>(ceil_div(columns, THREADS)), THREADS, stream, in, out, rows, columns,
                  op);
}

}  // namespace trial
