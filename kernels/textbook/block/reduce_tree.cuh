// Tree reduction of a tile: each level adds one half of the remaining values to the other half.
//
//     spaced and contiguous: one tree          halving: another tree
//     x0  x1  x2  x3  x4  x5  x6  x7           x0  x1  x2  x3  x4  x5  x6  x7
//      | /     | /     | /     | /              |   |   |   | __/___/___/___/     stride 4
//     01      23      45      67               04  15  26  37
//      | ____/         | ____/                  |   | __/___/                     stride 2
//     03              47                       0246 1357
//      | ____________/                          | __/                             stride 1
//     07                                       07
//
//     level of stride s    thread t is active if   on elements
//     spaced               t % s == 0              2t, 2t + s
//     contiguous           t < tile / (2s)         2st, 2st + s       the same pairs, by the lowest threads
//     halving              t < s                   t, t + s           consecutive: no bank conflicts
//
// n = TILE, a power of two: work n - 1, depth and barriers log2 n. Halving combines distant elements, so it
// requires a commutative operator; the other two preserve the order.
// Source: Harris, "Optimizing parallel reduction in CUDA", 2007; Kirk and Hwu, "Programming Massively
// Parallel Processors", 2nd ed., chapter 6.
#pragma once
#include <cuda_runtime.h>
#include "kernels/textbook/threads.cuh"

namespace trial {

template <Threads THREADS_AT_WORK>
struct ReduceTree {
    __host__ __device__ static constexpr int threads(int tile) { return tile / 2; }

    /// Reduce tile[Map::at(0 .. count-1)] to tile[Map::at(0)], 1 <= count <= TILE (an int, or
    /// FullTile<TILE>). Called by all THREADS >= TILE / 2 threads of the block after a barrier; thread 0 may
    /// read the result without another one.
    template <int TILE, int THREADS, class Map, class T, class Count, class Op>
    __device__ static void reduce(T* tile, Count count, Op op) {
        static_assert(THREADS >= TILE / 2, "one thread a pair of elements");
        const unsigned t = threadIdx.x;
        if constexpr (THREADS_AT_WORK == Threads::halving) {
            for (unsigned stride = TILE / 2; stride >= 1; stride /= 2) {
                if (t < stride) add<Map>(tile, t, t + stride, count, op);
                __syncthreads();
            }
        } else {
            for (unsigned stride = 1; stride < TILE; stride *= 2) {
                if constexpr (THREADS_AT_WORK == Threads::spaced) {
                    if (t % stride == 0 && t < TILE / 2) add<Map>(tile, 2 * t, 2 * t + stride, count, op);
                } else {
                    if (t < TILE / 2 / stride)
                        add<Map>(tile, 2 * stride * t, 2 * stride * t + stride, count, op);
                }
                __syncthreads();
            }
        }
    }

   private:
    template <class Map, class T, class Count, class Op>
    __device__ static void add(T* tile, int left, int right, Count count, Op op) {
        if (right < count) {
            const T a = tile[Map::at(left)];
            const T b = tile[Map::at(right)];
            tile[Map::at(left)] = op(a, b);
        }
    }
};

}  // namespace trial
