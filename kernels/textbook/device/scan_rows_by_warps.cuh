// Inclusive scan of every row of a matrix; a warp scans a row, 32 columns at a time.
//
//     columns      0 .. 31       32 .. 63      64 .. 95
//     row r       | scan |  s0  | + scan |  s1  | + scan |      lane l: columns l, 32 + l, 64 + l, ..
//     row r + 1   | scan |  s0  | + scan |  s1  | + scan |      the same warp, which has ROWS_A_WARP rows
//
// The matrix is row-major, so the lanes of a warp read neighbours: coalesced. A warp has several rows, whose
// loads it issues together. Rows are scanned by nothing but their warp: parallel in the rows, and in 32
// columns. c columns: work 129 c / 32 + (c - 32) a row, depth 5 + c / 32, no barrier, 6 shuffles for 32
// elements. Bytes: n elements read, n written. launches 1.
// Source: the warp scan, textbook/warp/scan_kogge_stone; a warp for each row, as of a sparse matrix: Bell and
// Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented processors", SC 2009.
#pragma once
#include <cuda_runtime.h>

#include "kernels/launch.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Scan `width` <= 32 elements of each of `count` <= ROWS rows, `columns` elements apart, of which this lane
/// has one each. before: the inclusive prefixes of the rows so far, unless they begin here; set to those of
/// 32 more.
template <int ROWS, class T, class Count, class Width, class Op>
__device__ void scan_part_of_rows(const T* in, T* out, long long columns, Count count, Width width,
                                  T (&before)[ROWS], bool begins, Op op) {
    const bool is_column = threadIdx.x % 32 < width;
    T values[ROWS] = {};
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        if (is_column && r < count) values[r] = in[r * columns];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        if (r >= count) continue;
        const T sum = warp_scan(values[r], is_column, op);
        values[r] = begins ? sum : op(before[r], sum);
        if (is_column) out[r * columns] = values[r];
        before[r] = shuffle_from(values[r], 31);
    }
}

/// Scan `count` <= ROWS whole rows, of which `in` and `out` are this lane's first elements.
template <int ROWS, class T, class Count, class Op>
__device__ void scan_whole_rows(const T* in, T* out, long long columns, Count count, Op op) {
    T before[ROWS];
    long long base = 0;
    for (; base + 32 <= columns; base += 32)
        scan_part_of_rows(in + base, out + base, columns, count, FullTile<32>{}, before, base == 0, op);
    const int rest = static_cast<int>(columns - base);
    if (rest > 0) scan_part_of_rows(in + base, out + base, columns, count, rest, before, base == 0, op);
}

/// in, out: rows x columns elements, row-major; out may be in. Grid: a warp for every ROWS_A_WARP rows.
template <int ROWS_A_WARP, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS)
    scan_row_a_warp(const T* in, T* out, long long rows, long long columns, Op op) {
    const long long first = (blockIdx.x * (THREADS / 32LL) + threadIdx.x / 32) * ROWS_A_WARP;
    in += first * columns + threadIdx.x % 32;
    out += first * columns + threadIdx.x % 32;
    if (first + ROWS_A_WARP <= rows)
        scan_whole_rows<ROWS_A_WARP>(in, out, columns, FullTile<ROWS_A_WARP>{}, op);
    else
        scan_whole_rows<ROWS_A_WARP>(in, out, columns, static_cast<int>(max(0LL, rows - first)), op);
}

/// out[r][c] = in[r][0] op .. op in[r][c], on the device; out may be in.
template <int ROWS_A_WARP = 4, int THREADS = 256, class T, class Op>
cudaError_t scan_rows_by_warps(const T* in, T* out, long long rows, long long columns, Op op,
                               cudaStream_t stream) {
    if (rows <= 0 || columns <= 0) return cudaSuccess;
    const auto blocks = static_cast<unsigned>(ceil_div(rows, ROWS_A_WARP * (THREADS / 32)));
    return launch(scan_row_a_warp<ROWS_A_WARP, THREADS, T, Op>, blocks, THREADS, stream, in, out, rows,
                  columns, op);
}

}  // namespace trial
