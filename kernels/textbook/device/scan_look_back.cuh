// Scan of any length in a single pass, with decoupled look-back.
//
//     every block        takes a ticket, the number of its tile
//                        reduces the tile and publishes the sum:            | aggregate |
//                        looks back for the exclusive prefix of the tile
//                        publishes the inclusive prefix of the tile:        | prefix    |
//                        scans the tile, starting from the exclusive prefix
//
//     look-back          tile      .. |  k-3   |    k-2    |    k-1    |  k      one warp, one lane a tile
//                                     | prefix | aggregate | aggregate |
//                        k's prefix =   P(k-3) + A(k-2)    + A(k-1)              up to the nearest prefix
//
// Forward progress: a tile waits only for tiles of lower tickets, and a block takes its ticket when it
// starts. So every tile that a block waits for belongs to a block that has started, in whatever order blocks
// are scheduled. Bytes: 2 n elements, and the statuses of the tiles, which stay in the L2 cache. launches 1,
// and a memset. Work: that of textbook/block/scan_raking, n / ITEMS more for exclusive prefixes, and the
// look-back, at least 1 operation a tile, whose cost depends on timing. Source: Merrill and Garland,
// "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002, 2016.
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/block/scan_raking.cuh"
#include "kernels/textbook/device/tile_status.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// The exclusive prefix of tile `tile` >= 1, in lane 0. Called by all 32 lanes of a warp.
template <class T, class Op>
__device__ T look_back(TileStatus<T> status, long long tile, Op op) {
    const int lane = threadIdx.x % 32;
    Prefix<T> sum = {{}, false};  // sum of the tiles between the window and ours
    for (long long window = tile - 1;; window -= 32) {
        const long long mine = window - lane;
        T value = {};
        unsigned prefixes = 0, needed = 0, missing = 0;
        do {
            const TileState state = mine < 0 ? TileState::empty : status.read(mine, value);
            prefixes = __ballot_sync(ALL_LANES, state == TileState::prefix);
            missing = __ballot_sync(ALL_LANES, state == TileState::empty);
            needed = prefixes == 0 ? ALL_LANES : prefixes ^ (prefixes - 1);  // lanes up to the nearest prefix
        } while ((missing & needed) != 0);

        const int last = 31 - __clz(needed);
        for (int delta = 1; delta < 32; delta *= 2) {  // higher lanes hold lower tiles
            const T lower = shuffle_down(value, delta);
            if (lane + delta <= last) value = op(lower, value);
        }
        if (lane == 0) sum = {sum.exists ? op(value, sum.value) : value, true};
        if (prefixes != 0) return sum.value;
    }
}

/// out: n elements, the inclusive or exclusive scan of in, which out may be. ticket and the words of status
/// are 0 at the start. Grid: ceil_div(n, ITEMS_PER_THREAD * THREADS) blocks of THREADS threads.
template <Form FORM, int ITEMS_PER_THREAD, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS)
    scan_look_back(const T* in, T* out, long long n, TileStatus<T> status, unsigned long long* ticket,
                   Op op) {
    static_assert(THREADS % 32 == 0, "a whole warp looks back");
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    using Map = Plain;  // ITEMS is odd: no bank conflicts for 4-byte elements
    __shared__ T tile[Map::size(TILE)];
    __shared__ T sum, prefix;
    __shared__ long long ticket_of_block;

    if (threadIdx.x == 0) ticket_of_block = static_cast<long long>(atomicAdd(ticket, 1ull));
    __syncthreads();
    const long long number = ticket_of_block;
    const long long base = number * TILE;
    const int count = static_cast<int>(min(static_cast<long long>(TILE), n - base));
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
        rake.template scan<FORM, Map>(tile, combine(before, within, op), op);
    }
    __syncthreads();
    store_tile<TILE, THREADS, Map>(tile, out + base, count);
}

/// Items per thread: odd, and a tile of 256 threads takes 15 KiB at most.
template <class T>
constexpr int look_back_items() {
    return sizeof(T) <= 4 ? 15 : sizeof(T) <= 8 ? 7 : 3;
}

/// The statuses of scans with look-back, and their launch.
template <class T, class Op, Form FORM = Form::inclusive, int ITEMS_PER_THREAD = look_back_items<T>(),
          int THREADS = 256>
class LookBackScan {
   public:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// Make room for the statuses of up to `capacity` elements. Throws nothing; see status().
    explicit LookBackScan(long long capacity) : words_(words(capacity)) {}

    /// cudaSuccess, or why there is no room for the statuses.
    cudaError_t status() const { return words_.status(); }

    /// out[i] = in[0] op .. op in[i], or in[i - 1] in the exclusive form, for 0 <= i < n <= capacity, on the
    /// device; out may be in.
    cudaError_t operator()(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
        if (n <= 0) return cudaSuccess;
        const cudaError_t status = cudaMemsetAsync(words_.data(), 0, words(n) * sizeof(Word), stream);
        return first_error({status, launch(scan_look_back<FORM, ITEMS_PER_THREAD, THREADS, T, Op>,
                                           ceil_div(n, TILE), THREADS, stream, in, out, n,
                                           TileStatus<T>(words_.data() + 1), words_.data(), op)});
    }

   private:
    using Word = typename TileStatus<T>::Word;

    /// The ticket, then the statuses; none for no elements.
    static long long words(long long n) { return n > 0 ? 1 + ceil_div(n, TILE) * TileStatus<T>::WORDS : 0; }

    DeviceArray<Word> words_;
};

}  // namespace trial
