// Scan of one part of a longer vector: decoupled look-back that starts from a seed, the part's prefix.
//
//     seed                            all elements before the part, or nothing
//     tile 0    publishes the prefix  seed + sum of tile 0, and scans, starting from the seed
//     tile k    as in scan_look_back: the prefixes that it looks back at contain the seed
//
// Only the block that takes tile 0 reads the seed, so it may be written until the kernel starts, by another
// kernel or a copy on the same stream. A seed that does not exist enters no operation: the scan then equals
// scan_look_back, operation by operation. With a seed the inclusive form takes 1 + p operations more, where p
// threads have elements of tile 0: for the tile's prefix, the first element, and the exclusive prefix of each
// other thread. Bytes: 2 n elements, the statuses of the tiles, and the seed. launches 1, and a memset.
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002,
// 2016; the seed is ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/textbook/device/scan_look_back.cuh"

/// out: n elements, the scan of in, after *seed if it exists; may be in. ticket and the words of status are 0
/// on entry. Grid: ceil_div(n, ITEMS * THREADS) blocks of THREADS threads.
template <Form FORM, int ITEMS_PER_THREAD, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS)
    scan_look_back_seeded(const T* in, T* out, long long n, const Prefix<T>* seed, TileStatus<T> status,
                          unsigned long long* ticket, Op op) {
    static_assert(THREADS % 32 == 0, "a whole warp looks back");
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    using Map = Plain;  // ITEMS is odd: no bank conflicts for 4-byte elements
    __shared__ T tile[Map::size(TILE)];
    __shared__ T sum, prefix;
    __shared__ bool prefix_exists;
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
        const bool is_leader = threadIdx.x == 0;
        const T total = sum;
        Prefix<T> exclusive = {{}, number > 0};
        if (number > 0) {
            if (is_leader) status.write(number, TileState::aggregate, total);
            exclusive.value = look_back(status, number, op);
        } else if (is_leader) {
            exclusive.exists = seed->exists;
            if (exclusive.exists) exclusive.value = seed->value;
        }
        if (is_leader) {
            status.write(number, TileState::prefix, combine(exclusive, total, op));
            prefix = exclusive.value;
            prefix_exists = exclusive.exists;
        }
    }
    __syncthreads();

    if (rake.begin < rake.end) {
        const Prefix<T> exclusive = {prefix, prefix_exists};
        rake.template scan<FORM, Map>(tile, combine(exclusive, within, op), op);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i < count) out[base + i] = tile[Map::at(i)];
    }
}

template <class T, class Op, Form FORM = Form::inclusive, int ITEMS_PER_THREAD = look_back_items<T>(),
          int THREADS = 256>
class SeededLookBackScan {
   public:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// Allocate the statuses of the tiles of up to `capacity` elements. Does not throw; see status().
    explicit SeededLookBackScan(long long capacity) {
        if (capacity > 0) status_ = cudaMalloc(&words_, words(capacity) * sizeof(Word));
    }
    ~SeededLookBackScan() { (void)cudaFree(words_); }
    SeededLookBackScan(const SeededLookBackScan&) = delete;
    SeededLookBackScan& operator=(const SeededLookBackScan&) = delete;

    /// cudaSuccess, or why the statuses could not be allocated.
    cudaError_t status() const { return status_; }

    /// out[i] = seed op in[0] op .. op in[i], or in[i - 1] in the exclusive form, for 0 <= i < n <= capacity,
    /// on the device; out may be in. The seed is left out if it does not exist.
    cudaError_t operator()(const T* in, T* out, long long n, const Prefix<T>* seed, Op op,
                           cudaStream_t stream) {
        if (n <= 0) return cudaSuccess;
        const cudaError_t status = cudaMemsetAsync(words_, 0, words(n) * sizeof(Word), stream);
        launch(scan_look_back_seeded<FORM, ITEMS_PER_THREAD, THREADS, T, Op>,
               static_cast<unsigned>(ceil_div(n, TILE)), THREADS, stream, in, out, n, seed,
               TileStatus<T>(words_ + 1), words_, op);
        return status;
    }

    /// This scan has no one-wave form; see multi_gpu/device_scan for one.
    bool fits_one_wave(long long) const { return false; }
    template <class Totals>
    cudaError_t scan_one_wave(const T*, T*, long long, Op, cudaStream_t, const Totals&) {
        return cudaErrorInvalidValue;
    }

   private:
    using Word = typename TileStatus<T>::Word;

    /// The ticket, then the statuses.
    static long long words(long long n) { return 1 + ceil_div(n, TILE) * TileStatus<T>::WORDS; }

    cudaError_t status_ = cudaSuccess;
    Word* words_ = nullptr;
};
