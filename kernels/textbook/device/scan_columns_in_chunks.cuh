// Inclusive scan of every column of a matrix by reduce-then-scan: the rows are cut into chunks.
//
//     columns      0 1 2 3 ..              1  reduce: a thread sums a column of a chunk, in every chunk but
//     chunk 0    | | | | |  |  -> sums         the last: a matrix of sums, a row for each chunk
//     chunk 1    | | | | |  |  -> sums     2  scan the columns of the sums, by the same scan
//     chunk 2    | | | | |  |              3  scan: a thread walks down a column of a chunk, from the sum of
//                                              the chunks above it
//
// Coalesced, and parallel in both axes: a thread for every ROWS_A_CHUNK elements. Bytes: 3 n elements, and
// those of the sums. k chunks: work (rows - 1) + (k - 1) (ROWS_A_CHUNK - 1) a column, and that of the sums.
// Levels: one if there is one chunk, and one more for every factor of ROWS_A_CHUNK; launches 2 levels - 1.
// Source: reduce-then-scan, as textbook/device/scan_reduce_then_scan: Dotsenko et al., "Fast scan algorithms
// on graphics processors", ICS 2008, and Merrill and Grimshaw, "Parallel scan for stream architectures",
// CS2009-14, University of Virginia, 2009; along columns is ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/device/scan_columns_by_threads.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// A column of a chunk of rows: what one thread works on, in row-major order of chunks and columns.
struct ColumnOfChunk {
    long long chunk, column;

    __device__ explicit ColumnOfChunk(long long columns) {
        const long long thread = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
        chunk = thread / columns;
        column = thread % columns;
    }
};

/// sums[chunk][column]: of ROWS_A_CHUNK rows of in each. Grid: a thread for each sum.
template <int ROWS_A_CHUNK, int ROWS_AHEAD, class T, class Op>
__global__ void reduce_chunks_of_columns(const T* in, T* sums, long long chunks, long long columns, Op op) {
    static_assert(ROWS_A_CHUNK % ROWS_AHEAD == 0, "whole steps");
    const ColumnOfChunk own(columns);
    if (own.chunk >= chunks) return;
    in += own.chunk * ROWS_A_CHUNK * columns + own.column;
    T sum = {};
    for (int row = 0; row < ROWS_A_CHUNK; row += ROWS_AHEAD) {
        T next[ROWS_AHEAD];
#pragma unroll
        for (int k = 0; k < ROWS_AHEAD; ++k) next[k] = in[(row + k) * columns];
#pragma unroll
        for (int k = 0; k < ROWS_AHEAD; ++k) sum = row + k == 0 ? next[k] : op(sum, next[k]);
    }
    sums[own.chunk * columns + own.column] = sum;
}

/// Scan every column of every chunk. prefixes[chunk][column]: the inclusive prefix of this chunk, for all but
/// the last. Grid: a thread for every column of every chunk.
template <int ROWS_A_CHUNK, int ROWS_AHEAD, class T, class Op>
__global__ void scan_chunks_of_columns(const T* in, T* out, const T* prefixes, long long rows,
                                       long long columns, Op op) {
    const ColumnOfChunk own(columns);
    const long long first = own.chunk * ROWS_A_CHUNK;
    if (first >= rows) return;
    Prefix<T> before = {{}, own.chunk > 0};
    if (before.exists) before.value = prefixes[(own.chunk - 1) * columns + own.column];
    const long long begin = first * columns + own.column;
    const long long count = min(static_cast<long long>(ROWS_A_CHUNK), rows - first);
    walk_down<ROWS_AHEAD>(in + begin, out + begin, count, columns, before, op);
}

template <class T, class Op, int ROWS_A_CHUNK = 64, int ROWS_AHEAD = 8, int THREADS = 256>
class ColumnsInChunks {
   public:
    /// Allocate the sums of a matrix. Does not throw; see status().
    ColumnsInChunks(long long rows, long long columns) {
        for (long long chunks = ceil_div(rows, ROWS_A_CHUNK); chunks > 1;
             chunks = ceil_div(chunks - 1, ROWS_A_CHUNK))
            sums_.add((chunks - 1) * columns);
    }

    /// cudaSuccess, or why there is no room for the sums.
    cudaError_t status() const { return sums_.status(); }

    /// out[r][c] = in[0][c] op .. op in[r][c], on the device, of no more rows and columns than there is room
    /// for; out may be in. Calls on one object must not overlap.
    void operator()(const T* in, T* out, long long rows, long long columns, Op op, cudaStream_t stream) {
        if (rows > 0 && columns > 0) scan(in, out, rows, columns, op, stream, 0);
    }

   private:
    void scan(const T* in, T* out, long long rows, long long columns, Op op, cudaStream_t stream, int level) {
        const long long chunks = ceil_div(rows, ROWS_A_CHUNK);
        T* const sums = chunks > 1 ? sums_[level] : nullptr;
        if (chunks > 1) {
            launch(reduce_chunks_of_columns<ROWS_A_CHUNK, ROWS_AHEAD, T, Op>, blocks(chunks - 1, columns),
                   THREADS, stream, in, sums, chunks - 1, columns, op);
            scan(sums, sums, chunks - 1, columns, op, stream, level + 1);
        }
        launch(scan_chunks_of_columns<ROWS_A_CHUNK, ROWS_AHEAD, T, Op>, blocks(chunks, columns), THREADS,
               stream, in, out, sums, rows, columns, op);
    }
    static unsigned blocks(long long chunks, long long columns) {
        return static_cast<unsigned>(ceil_div(chunks * columns, THREADS));
    }

    DeviceLevels<T> sums_;
};

}  // namespace trial
