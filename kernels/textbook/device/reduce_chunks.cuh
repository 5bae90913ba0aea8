// Recursive reduction of a vector of any length by a bounded number of blocks: each block reduces a chunk of
// as many tiles as needed, then the same kernel reduces the sums of the blocks.
//
//     block            0             1             2             3          at most BLOCKS
//     its chunk    | tile | tile | tile | tile | tile | tile | tile | .. |
//     level 1           s0            s1            s2            s3
//     level 2      |           one tile            |
//                       *
//
// With chunks instead of tiles, two levels suffice for any length, and one if there is one tile. Work n - 1.
// Bytes: n elements read, and one sum a block written and read. launches 2, or 1. The order of elements is
// preserved. The same blocks and chunks in one launch: textbook/device/reduce_last_block.
// Source: Harris, "Optimizing parallel reduction in CUDA", 2007, kernel 7 (a fixed number of blocks).
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/reduce_raking.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Reduce in[begin .. end-1] tile by tile through tile[0 .. TILE-1] in shared memory; the neutral element if
/// begin >= end. Thread 0 gets the result. Called by all threads of the block; the tile is reusable at once.
template <class Block, class T, class Op>
__device__ T reduce_chunk_by_tiles(T* tile, const T* in, long long begin, long long end, Op op) {
    T sum = Op::identity();
    for (long long base = begin; base < end; base += Block::TILE) {
        const int count = static_cast<int>(min(static_cast<long long>(Block::TILE), end - base));
        const T sum_of_tile = Block::reduce(tile, in + base, count, op);
        if (threadIdx.x == 0) sum = base == begin ? sum_of_tile : op(sum, sum_of_tile);
    }
    return sum;
}

/// Elements of a chunk: whole tiles, so that at most `blocks` chunks cover n elements.
inline long long chunk_of(long long n, int tile, int blocks) {
    return std::max(1LL, ceil_div(ceil_div(n, tile), blocks)) * tile;
}

/// sums: one value for each chunk of in. Grid: ceil_div(n, chunk) blocks of THREADS threads; one if n is 0.
template <int ITEMS_PER_THREAD, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS)
    reduce_chunks(const T* in, T* sums, long long n, long long chunk, Op op) {
    using Block = ReduceRaking<ITEMS_PER_THREAD, THREADS>;
    __shared__ T memory[1 + Block::TILE];
    T* const tile = memory + 1;  // as in textbook/device/reduce_tiles
    const long long begin = blockIdx.x * chunk;
    const T sum = reduce_chunk_by_tiles<Block>(tile, in, begin, min(n, begin + chunk), op);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// Op: any associative operator. BLOCKS: enough to fill the GPU; it determines the order of additions.
template <class T, class Op, int BLOCKS = 1024, int ITEMS_PER_THREAD = raking_items<T>(), int THREADS = 256>
class ChunksReduction {
   public:
    /// Make room for the sums of the blocks, whatever the length. Throws nothing; see status().
    ChunksReduction() : sums_(BLOCKS) {}

    /// cudaSuccess, or why there is no room for the sums.
    cudaError_t status() const { return sums_.status(); }

    /// *out = in[0] op .. op in[n - 1], n >= 0, on the device; the neutral element if n is 0. Calls on one
    /// object must not overlap.
    void operator()(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
        const long long chunk = chunk_of(n, TILE, BLOCKS), blocks = std::max(1LL, (n + chunk - 1) / chunk);
        reduce_level(in, blocks > 1 ? sums_.data() : out, n, chunk, op, stream);
        if (blocks > 1) reduce_level(sums_.data(), out, blocks, TILE, op, stream);
    }

   private:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    static_assert(BLOCKS <= TILE, "the second level is one tile");

    static void reduce_level(const T* in, T* sums, long long n, long long chunk, Op op, cudaStream_t stream) {
        const auto blocks = static_cast<unsigned>(std::max(1LL, (n + chunk - 1) / chunk));
        launch(reduce_chunks<ITEMS_PER_THREAD, THREADS, T, Op>, blocks, THREADS, stream, in, sums, n, chunk,
               op);
    }

    DeviceArray<T> sums_;
};

}  // namespace trial
