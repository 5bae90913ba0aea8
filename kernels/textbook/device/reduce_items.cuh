// Recursive reduction of any length, several items a thread: each thread sums ITEMS elements in registers as
// it loads them, then the block reduces the sums of its threads.
//
//     element   0    1    2    3  |  4    5    6    7  |  8    9    10   11      THREADS = 4, ITEMS = 3
//     thread    0    1    2    3  |  0    1    2    3  |  0    1    2    3       scalar, coalesced loads
//     sums      thread 0: x0 x4 x8,  thread 1: x1 x5 x9,  ..                     then reduce_tree, halving
//
//     element   0 1 2 3 | 4 5 6 7 | 8 .. 11 | 12 .. 15 | 16 ..      ITEMS = 8, WIDTH = 4: a 16-byte load of
//     thread    0       | 1       | 2       | 3        | 0          four elements, then of the next
//
// A tile is THREADS * ITEMS elements. levels = ceil(log_tile n), at least 1, one launch each. Work n - 1; in
// a full tile each thread performs ITEMS - 1 operations before the first barrier, then log2 THREADS levels
// follow. With ITEMS = 1 half of the threads have nothing to add. Distant elements are combined: the operator
// must commute.
// Source: Harris, "Optimizing parallel reduction in CUDA", 2007, kernels 4 (two a thread) and 7 (many).
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// WIDTH consecutive elements that one load reads, aligned to their total size.
template <class T, int WIDTH>
struct alignas(WIDTH * sizeof(T)) Pack {
    T values[WIDTH];
};

/// The sum of this thread's elements of a full tile.
template <int ITEMS_PER_THREAD, int WIDTH, int THREADS, class T, class Op>
__device__ T reduce_own(const T* in, Op op) {
    constexpr int PACKS = ITEMS_PER_THREAD / WIDTH;
    Pack<T, WIDTH> packs[PACKS];  // all loads are issued before the first use
#pragma unroll
    for (int k = 0; k < PACKS; ++k)
        packs[k] = reinterpret_cast<const Pack<T, WIDTH>*>(in)[threadIdx.x + k * THREADS];
    T sum = packs[0].values[0];
#pragma unroll
    for (int i = 1; i < ITEMS_PER_THREAD; ++i) sum = op(sum, packs[i / WIDTH].values[i % WIDTH]);
    return sum;
}

/// sums: one value for each tile of ITEMS * THREADS elements of in, which is aligned to WIDTH elements. Grid:
/// ceil_div(n, ITEMS * THREADS) blocks of THREADS threads.
template <int ITEMS_PER_THREAD, int WIDTH, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS) reduce_items(const T* in, T* sums, long long n, Op op) {
    static_assert(ITEMS_PER_THREAD % WIDTH == 0, "whole packs");
    using Tree = ReduceTree<Threads::halving>;
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    __shared__ T partial[THREADS];
    const long long base = blockIdx.x * static_cast<long long>(TILE);
    const int t = threadIdx.x;

    if (base + TILE <= n) {
        partial[t] = reduce_own<ITEMS_PER_THREAD, WIDTH, THREADS>(in + base, op);
        __syncthreads();
        Tree::reduce<THREADS, THREADS, Plain>(partial, FullTile<THREADS>{}, op);
    } else {
        const int count = static_cast<int>(n - base);
        if (t < count) {
            T sum = in[base + t];
            for (int i = t + THREADS; i < count; i += THREADS) sum = op(sum, in[base + i]);
            partial[t] = sum;
        }
        __syncthreads();
        Tree::reduce<THREADS, THREADS, Plain>(partial, min(count, THREADS), op);
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}

template <class T, class Op, int ITEMS_PER_THREAD, int WIDTH, int THREADS>
class ItemsReduction {
   public:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// Allocate the sums for up to `capacity` elements. Does not throw; see status().
    explicit ItemsReduction(long long capacity) {
        for (long long n = ceil_div(capacity, TILE); n > 1; n = ceil_div(n, TILE)) sums_.add(n);
    }

    /// cudaSuccess, or why there is no room for the sums.
    cudaError_t status() const { return sums_.status(); }

    /// *sum = in[0] op .. op in[n - 1], in some order, 1 <= n <= capacity, on the device.
    void operator()(const T* in, T* sum, long long n, Op op, cudaStream_t stream) {
        for (std::size_t level = 0; n > 0; ++level) {
            const long long blocks = ceil_div(n, TILE);
            T* const sums = blocks > 1 ? sums_[level] : sum;
            launch(reduce_items<ITEMS_PER_THREAD, WIDTH, THREADS, T, Op>, static_cast<unsigned>(blocks),
                   THREADS, stream, in, sums, n, op);
            if (blocks == 1) return;
            in = sums;
            n = blocks;
        }
    }

   private:
    DeviceLevels<T> sums_;  // all but the last level
};

}  // namespace trial
