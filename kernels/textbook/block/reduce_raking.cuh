// Raking reduction of a tile: each thread sums ITEMS consecutive elements, then a tree adds up the sums.
//
//     x0  x1  x2 | x3  x4  x5 | x6  x7  x8 | x9  x10 x11       ITEMS = 3, in shared memory
//       \ |  /       \ |  /       \ |  /       \ |  /          one thread each, serially
//       0..2         3..5         6..8         9..11
//          \_________ |              \_________ |              contiguous tree of THREADS values
//                   0..5                      6..11
//                       \____________________ |
//                                           0..11
//
// n = ITEMS THREADS: work n - 1, depth ITEMS - 1 + log2 THREADS, barriers 4 + log2 THREADS, loading included.
// The idle threads of the tree cost ITEMS times less an element than in a tree over all elements. The order
// of elements is preserved. Neighbouring threads read at a stride of ITEMS: no bank conflicts if ITEMS is odd
// and elements have 4 bytes.
// Source: Dotsenko et al., "Fast scan algorithms on graphics processors", ICS 2008; serial sums before the
// tree: Harris, "Optimizing parallel reduction in CUDA", 2007, "algorithm cascading".
#pragma once
#include <cuda_runtime.h>

#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Items per thread: odd, and a tile of 256 threads takes about 16 KiB.
template <class T>
constexpr int raking_items() {
    return sizeof(T) <= 4 ? 15 : sizeof(T) <= 8 ? 7 : 3;
}

template <int ITEMS_PER_THREAD, int THREADS>
struct ReduceRaking {
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// in[0] op .. op in[count - 1], to every thread, 1 <= count <= TILE. tile: TILE elements of shared
    /// memory, reusable as soon as the call returns. Called by all THREADS threads of the block, a power of
    /// two.
    template <class T, class Op>
    __device__ static T reduce(T* tile, const T* in, int count, Op op) {
        load_tile<TILE, THREADS, Plain>(tile, in, count);

        const int begin = threadIdx.x * ITEMS_PER_THREAD;
        T sum{};
        if (begin < count) sum = tile[begin];
#pragma unroll
        for (int k = 1; k < ITEMS_PER_THREAD; ++k) {
            if (begin + k < count) {
                const T next = tile[begin + k];
                sum = op(sum, next);
            }
        }
        __syncthreads();  // all reads are done before the sums are written
        if (begin < count) tile[threadIdx.x] = sum;
        __syncthreads();

        const int sums = (count + ITEMS_PER_THREAD - 1) / ITEMS_PER_THREAD;
        ReduceTree<Threads::contiguous>::reduce<THREADS, THREADS, Plain>(tile, sums, op);
        const T total = tile[0];
        __syncthreads();  // all reads are done before the tile is reused
        return total;
    }
};

}  // namespace trial
