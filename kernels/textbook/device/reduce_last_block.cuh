// Reduction of a vector of any length in one launch: the last block to finish reduces the sums of all blocks.
//
//     block            0             1             2             3
//     its chunk    | tile | tile | tile | tile | tile | tile | tile | .. |
//     publishes         s0            s1            s2            s3
//     and counts      2 done        1 done        4 done        3 done        in any order
//                                                 last: *out = s0 + s1 + s2 + s3
//
// Each block publishes its sum, then increments the counter of finished blocks. The block that finds all
// others counted is the last one, and all sums are visible to it. Whichever block it is, it adds the sums in
// block order, and which elements a block adds depends on n alone: the result is bitwise reproducible, for
// floats too. The counter wraps to 0 by itself, so nothing is initialised between calls.
//
// Work n - 1. Bytes: n elements read, and one sum a block written and read. launches 1, of at most BLOCKS
// blocks with one atomic operation each.
// Source: NVIDIA, CUDA samples, threadFenceReduction; CUDA C++ Programming Guide, "Memory fence functions".
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/reduce_raking.cuh"
#include "kernels/textbook/device/reduce_chunks.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// chunk: elements of a block's chunk, a multiple of the tile. sums: one for each block. done: 0 on entry and
/// on exit. Grid: ceil_div(n, chunk) blocks of THREADS threads; one if n is 0.
template <int ITEMS_PER_THREAD, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS)
    reduce_last_block(const T* in, T* out, long long n, long long chunk, T* sums, unsigned* done, Op op) {
    using Block = ReduceRaking<ITEMS_PER_THREAD, THREADS>;
    __shared__ T memory[1 + Block::TILE];
    T* const tile = memory + 1;  // as in textbook/device/reduce_tiles
    __shared__ bool last;

    const long long begin = blockIdx.x * chunk;
    const long long end = min(n, begin + chunk);
    const T sum = reduce_chunk_by_tiles<Block>(tile, in, begin, end, op);

    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();  // a block that sees the count sees the sum
        const unsigned finished_before = atomicInc(done, gridDim.x - 1);  // wraps to 0 at the last block
        last = finished_before == gridDim.x - 1;
        __threadfence();  // the sums are read after the count
    }
    __syncthreads();
    if (!last) return;

    const T total = Block::reduce(tile, sums, gridDim.x, op);
    if (threadIdx.x == 0) *out = total;
}

/// Op: any associative operator; the order of elements is preserved. BLOCKS: enough to fill the GPU; it
/// determines the order of additions.
template <class T, class Op, int BLOCKS = 1024, int ITEMS_PER_THREAD = raking_items<T>(), int THREADS = 256>
class LastBlockReduction {
   public:
    /// Make room for the sums of the blocks, whatever the length. Throws nothing; see status().
    LastBlockReduction() : sums_(BLOCKS), done_(1), status_(first_error({sums_.status(), done_.status()})) {
        if (status_ == cudaSuccess) status_ = cudaMemset(done_.data(), 0, sizeof(unsigned));
        if (status_ == cudaSuccess) status_ = cudaDeviceSynchronize();  // before calls on any stream
    }

    /// cudaSuccess, or why the sums could not be allocated.
    cudaError_t status() const { return status_; }

    /// *out = in[0] op .. op in[n - 1], n >= 0, on the device; the neutral element if n is 0. Calls on one
    /// object must not overlap. Returns the launch error.
    cudaError_t operator()(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
        const long long chunk = chunk_of(n, TILE, BLOCKS);
        const auto blocks = static_cast<unsigned>(std::max(1LL, (n + chunk - 1) / chunk));
        return launch(reduce_last_block<ITEMS_PER_THREAD, THREADS, T, Op>, blocks, THREADS, stream, in, out,
                      n, chunk, sums_.data(), done_.data(), op);
    }

   private:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    static_assert(BLOCKS <= TILE, "the last block reduces the sums as one tile");

    DeviceArray<T> sums_;
    DeviceArray<unsigned> done_;
    cudaError_t status_;
};

}  // namespace trial
