// Transpose of a matrix, and with it the scan of columns by a scan of rows.
//
//     in, 32 x 32     rows are read, a warp a row     shared memory, 33 words a row
//     | a b c |                                       | a b c . |      a column lies in 32 banks
//     | d e f |              ------>                  | d e f . |
//     | g h i |                                       | g h i . |
//     out             rows are written, a warp a row, which are columns of shared memory
//     | a d g |
//     | b e h |
//     | c f i |
//
//     scan of columns:   transpose, scan the rows, transpose
//
// Both sides coalesced, without bank conflicts (4-byte elements). Bytes: n elements read, n written. A scan
// of columns by way of it moves 6 n, of which the scan of rows moves 2 n if it is a single pass. launches 1;
// of the scan of columns 2, and those of the scan of rows.
// Source: Ruetsch and Micikevicius, "Optimizing matrix transpose in CUDA", NVIDIA, 2009; Harris, "An
// efficient matrix transpose in CUDA C/C++", NVIDIA developer blog, 2013.
#pragma once
#include <cuda_runtime.h>

#include "kernels/launch.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// in: rows x columns elements, row-major; out: columns x rows, not in. Grid: a block of 256 threads for each
/// 32 x 32 elements.
template <class T>
__global__ void __launch_bounds__(256)
    transpose_tiles(const T* in, T* out, long long rows, long long columns) {
    constexpr int ROWS_AT_ONCE = 256 / 32;
    __shared__ T tile[32][33];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const auto tiles = static_cast<unsigned>(ceil_div(columns, 32));  // as few as blocks, so 32 bits suffice
    const long long top = blockIdx.x / tiles * 32LL, left = blockIdx.x % tiles * 32LL;

    in += (top + warp) * columns + left + lane;
    out += (left + warp) * rows + top + lane;
#pragma unroll
    for (int k = 0; k < 32; k += ROWS_AT_ONCE)
        if (top + warp + k < rows && left + lane < columns) tile[warp + k][lane] = in[k * columns];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += ROWS_AT_ONCE)
        if (left + warp + k < columns && top + lane < rows) out[k * rows] = tile[lane][warp + k];
}

/// out[c][r] = in[r][c], on the device; out must not be in.
template <class T>
cudaError_t transpose(const T* in, T* out, long long rows, long long columns, cudaStream_t stream) {
    if (rows <= 0 || columns <= 0) return cudaSuccess;
    const auto blocks = static_cast<unsigned>(ceil_div(rows, 32) * ceil_div(columns, 32));
    return launch(transpose_tiles<T>, blocks, 256, stream, in, out, rows, columns);
}

/// Scan every column, by way of `transposed`, room for as many elements, which overlaps neither in nor out;
/// out may be in. scan_rows(transposed, columns, rows) scans the rows of a matrix of so many, in place.
template <class T, class ScanRows>
void scan_columns_transposed(const T* in, T* out, T* transposed, long long rows, long long columns,
                             ScanRows scan_rows, cudaStream_t stream) {
    transpose(in, transposed, rows, columns, stream);
    scan_rows(transposed, columns, rows);
    transpose(static_cast<const T*>(transposed), out, columns, rows, stream);
}

}  // namespace trial
