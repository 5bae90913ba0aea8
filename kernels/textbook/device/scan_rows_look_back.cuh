// Inclusive scan of every row of a matrix in a single pass: a row is a chain of tiles with look-back.
//
//     row 0    | tile 0 | tile 1 | tile 2 | .. |      a tile publishes its sum, looks back along its own row
//     row 1    | tile 0 | tile 1 | tile 2 | .. |      for its prefix, publishes that, and scans itself
//     row 2    | tile 0 | tile 1 | tile 2 | .. |
//     ticket     0 1 2    3 4 5    6 7 8              down the first tiles of all rows, then the second ..
//
// textbook/device/scan_look_back, whose look-back ends where the row begins. A tile waits for tiles of lower
// tickets only. Parallel in the rows and in the columns. Bytes: 2 n elements, and the statuses of the tiles.
// launches 1, and a memset. Work: that of scan_look_back, for each row.
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002,
// 2016; a chain for each row is ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/block/scan_raking.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"
#include "kernels/textbook/device/tile_status.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// in, out: rows x columns elements, row-major; out may be in. ticket, and statuses, row by row, are 0 at the
/// start. Grid: a block of THREADS threads for every tile of every row.
template <int ITEMS_PER_THREAD, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS)
    scan_rows_look_back(const T* in, T* out, long long rows, long long columns,
                        typename TileStatus<T>::Word* statuses, unsigned long long* ticket, Op op) {
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    using Map = Plain;  // ITEMS is odd: no bank conflicts for 4-byte elements
    __shared__ T tile[Map::size(TILE)];
    __shared__ T sum, prefix;
    __shared__ long long ticket_of_block;

    if (threadIdx.x == 0) ticket_of_block = static_cast<long long>(atomicAdd(ticket, 1ull));
    __syncthreads();
    const long long row = ticket_of_block % rows, number = ticket_of_block / rows;
    const TileStatus<T> status(statuses + row * ceil_div(columns, TILE) * TileStatus<T>::WORDS);
    const long long base = row * columns + number * TILE;
    const int count = static_cast<int>(min(static_cast<long long>(TILE), columns - number * TILE));
    load_tile<TILE, THREADS, Map>(tile, in + base, count);

    const Rake<ITEMS_PER_THREAD> rake(count);
    const T own = rake.template reduce<Map>(tile, op);
    const Prefix<T> within = exclusive_block_scan<THREADS>(own, rake.threads(count), op);
    if (rake.end == count && rake.begin < count) sum = combine(within, own, op);
    __syncthreads();

    if (threadIdx.x < 32) {
        const bool is_first = threadIdx.x == 0;
        const T total = sum;
        Prefix<T> before = {{}, number > 0};
        if (is_first) status.write(number, number == 0 ? TileState::prefix : TileState::aggregate, total);
        if (number > 0) {
            before.value = look_back(status, number, op);
            if (is_first) status.write(number, TileState::prefix, op(before.value, total));
        }
        if (is_first) prefix = before.value;
    }
    __syncthreads();

    if (rake.begin < rake.end) {
        const Prefix<T> before = {prefix, number > 0};
        rake.template scan<Form::inclusive, Map>(tile, combine(before, within, op), op);
    }
    __syncthreads();
    store_tile<TILE, THREADS, Map>(tile, out + base, count);
}

/// The statuses of scans of rows with look-back, and their launch.
template <class T, class Op, int ITEMS_PER_THREAD = look_back_items<T>(), int THREADS = 256>
class RowsLookBack {
   public:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// Make room for the statuses of a matrix. Throws nothing; see status().
    RowsLookBack(long long rows, long long columns) : words_(words(rows, columns)) {}

    /// cudaSuccess, or why there is no room for the statuses.
    cudaError_t status() const { return words_.status(); }

    /// out[r][c] = in[r][0] op .. op in[r][c], on the device; out may be in. Of no more tiles than there is
    /// room for.
    cudaError_t operator()(const T* in, T* out, long long rows, long long columns, Op op,
                           cudaStream_t stream) {
        const long long tiles = rows * ceil_div(columns, TILE);
        if (tiles <= 0) return cudaSuccess;
        const cudaError_t status =
            cudaMemsetAsync(words_.data(), 0, words(rows, columns) * sizeof(Word), stream);
        return first_error({status, launch(scan_rows_look_back<ITEMS_PER_THREAD, THREADS, T, Op>,
                                           static_cast<unsigned>(tiles), THREADS, stream, in, out, rows,
                                           columns, words_.data() + 1, words_.data(), op)});
    }

   private:
    using Word = typename TileStatus<T>::Word;

    /// The ticket, then the statuses.
    static long long words(long long rows, long long columns) {
        return 1 + rows * ceil_div(columns, TILE) * TileStatus<T>::WORDS;
    }

    DeviceArray<Word> words_;
};

}  // namespace trial
