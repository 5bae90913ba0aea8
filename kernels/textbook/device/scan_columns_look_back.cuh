// Inclusive scan of every column of a matrix in a single pass: columns, 32 together, are chains of tiles with
// look-back.
//
//     strip            0          1                 a tile: 32 columns, a lane for each, and WARPS
//     tile 0     | 32 columns | 32 columns |        times ROWS_A_WARP rows, a warp for each ROWS_A_WARP
//     tile 1     | 32 columns | 32 columns |
//     tile 2     | 32 columns | 32 columns |        tickets: along the strips, then down
//
//     tile k     warp 0   x x x x    ROWS_A_WARP rows in registers, added up serially by each lane
//                warp 1   x x x x    and the sums of the warps above, in shared memory
//                look-back, by column: warp w looks at tile k - 1 - w, then all combine what they found,
//                up to the nearest prefix; if there was none, they look at WARPS tiles further up
//
// A status for every column of every tile. A tile waits only for tiles of lower tickets, which have started.
// Parallel in both axes, and coalesced. Bytes: 2 n elements, and the statuses: 16 bytes for each
// WARPS ROWS_A_WARP elements. launches 1, and a memset. Work of a tile whose predecessor has its prefix, by
// column: WARPS (2 ROWS_A_WARP - 1), WARPS (WARPS - 1) / 2 for the warps above, 2 for what it publishes.
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002,
// 2016; along columns is ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/device/tile_status.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// A tile of a strip of 32 columns. own: of this lane's column in this warp's first row, and the row after it
/// `columns` further.
struct TileOfColumns {
    long long number, column, columns, own;
    bool is_column, is_last;
};

/// The exclusive prefix of a tile in this lane's column. Called by all threads of WARPS warps.
template <int WARPS, class T, class Op>
__device__ Prefix<T> look_back_up(TileStatus<T> status, const TileOfColumns& tile, Op op) {
    __shared__ T found[WARPS][32];
    __shared__ bool is_prefix[WARPS][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    Prefix<T> sum = {{}, false};  // of the tiles between the window and ours
    bool is_done = tile.number == 0 || !tile.is_column;
    for (long long window = tile.number - 1; __syncthreads_or(!is_done); window -= WARPS) {
        const long long own = window - warp;
        if (!is_done && own >= 0) {
            TileState state;
            do {
                state = status.read(own * tile.columns + tile.column, found[warp][lane]);
            } while (state == TileState::empty);
            is_prefix[warp][lane] = state == TileState::prefix;
        }
        __syncthreads();
        for (int above = 0; above < WARPS && !is_done; ++above) {  // tile 0 has a prefix
            const T value = found[above][lane];
            sum = {sum.exists ? op(value, sum.value) : value, true};
            is_done = is_prefix[above][lane];
        }
    }
    return sum;
}

/// Scan a tile, of which this lane has `count` <= ROWS_A_WARP rows, fewer only in a last tile. Called by all
/// threads of the block.
template <int ROWS_A_WARP, int WARPS, class T, class Count, class Op>
__device__ void scan_tile_of_columns(const T* in, T* out, TileOfColumns tile, Count count,
                                     TileStatus<T> status, Op op) {
    __shared__ T sums[WARPS][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T values[ROWS_A_WARP] = {};
#pragma unroll
    for (int k = 0; k < ROWS_A_WARP; ++k)
        if (k < count) values[k] = in[tile.own + k * tile.columns];
#pragma unroll
    for (int k = 1; k < ROWS_A_WARP; ++k)
        if (k < count) values[k] = op(values[k - 1], values[k]);
    sums[warp][lane] = values[ROWS_A_WARP - 1];  // which no warp needs of one with fewer rows
    __syncthreads();

    Prefix<T> above = {{}, false};
    for (int w = 0; w < warp && count > 0; ++w) above = {combine(above, sums[w][lane], op), true};
    const long long number = tile.number * tile.columns + tile.column;
    const bool publishes = warp == WARPS - 1 && tile.is_column && !tile.is_last;
    T sum = {};
    if (publishes) {
        sum = combine(above, values[ROWS_A_WARP - 1], op);
        status.write(number, tile.number == 0 ? TileState::prefix : TileState::aggregate, sum);
    }
    const Prefix<T> before = look_back_up<WARPS>(status, tile, op);
    if (publishes && tile.number > 0) status.write(number, TileState::prefix, op(before.value, sum));

    const Prefix<T> prefix = combine(before, above, op);
#pragma unroll
    for (int k = 0; k < ROWS_A_WARP; ++k)
        if (k < count) out[tile.own + k * tile.columns] = combine(prefix, values[k], op);
}

/// in, out: rows x columns elements, row-major; out may be in. ticket, and status, a row of columns for each
/// tile, are 0 at the start. Grid: a block of 32 WARPS threads for each tile of each strip of 32 columns.
template <int ROWS_A_WARP, int WARPS, class T, class Op>
__global__ void __launch_bounds__(32 * WARPS)
    scan_columns_look_back(const T* in, T* out, long long rows, long long columns, TileStatus<T> status,
                           unsigned long long* ticket, Op op) {
    constexpr int TILE_ROWS = WARPS * ROWS_A_WARP;
    __shared__ long long ticket_of_block;
    if (threadIdx.x == 0) ticket_of_block = static_cast<long long>(atomicAdd(ticket, 1ull));
    __syncthreads();

    const long long strips = ceil_div(columns, 32), number = ticket_of_block / strips;
    const long long left = ticket_of_block % strips * 32, column = left + threadIdx.x % 32;
    const long long end = (number + 1) * TILE_ROWS;
    const long long first = number * TILE_ROWS + threadIdx.x / 32 * ROWS_A_WARP;
    const TileOfColumns tile = {number,           column,     columns, first * columns + column,
                                column < columns, end >= rows};
    if (end <= rows && left + 32 <= columns) {
        scan_tile_of_columns<ROWS_A_WARP, WARPS>(in, out, tile, FullTile<ROWS_A_WARP>{}, status, op);
    } else {
        const long long count = max(0LL, min(static_cast<long long>(ROWS_A_WARP), rows - first));
        scan_tile_of_columns<ROWS_A_WARP, WARPS>(in, out, tile, tile.is_column ? static_cast<int>(count) : 0,
                                                 status, op);
    }
}

/// The statuses of scans of columns with look-back, and their launch.
template <class T, class Op, int ROWS_A_WARP = 16, int WARPS = 16>
class ColumnsLookBack {
   public:
    static constexpr int TILE_ROWS = WARPS * ROWS_A_WARP;

    /// Make room for the statuses of a matrix. Throws nothing; see status().
    ColumnsLookBack(long long rows, long long columns) : words_(words(rows, columns)) {}

    /// cudaSuccess, or why there is no room for the statuses.
    cudaError_t status() const { return words_.status(); }

    /// out[r][c] = in[0][c] op .. op in[r][c], on the device, of no more statuses than there is room for; out
    /// may be in.
    cudaError_t operator()(const T* in, T* out, long long rows, long long columns, Op op,
                           cudaStream_t stream) {
        const long long blocks = ceil_div(rows, TILE_ROWS) * ceil_div(columns, 32);
        if (blocks <= 0) return cudaSuccess;
        Word* const ticket = words_.data() + words(rows, columns) - 1;
        const cudaError_t status =
            cudaMemsetAsync(words_.data(), 0, words(rows, columns) * sizeof(Word), stream);
        return first_error({status, launch(scan_columns_look_back<ROWS_A_WARP, WARPS, T, Op>,
                                           static_cast<unsigned>(blocks), 32 * WARPS, stream, in, out, rows,
                                           columns, TileStatus<T>(words_.data()), ticket, op)});
    }

   private:
    using Word = typename TileStatus<T>::Word;

    /// The statuses, so that those of 32 columns begin a sector, then the ticket.
    static long long words(long long rows, long long columns) {
        return ceil_div(rows, TILE_ROWS) * columns * TileStatus<T>::WORDS + 1;
    }

    DeviceArray<Word> words_;
};

}  // namespace trial
