// Brent-Kung scan of a tile: a reduction tree, then the missing prefixes, from coarse to fine levels.
//
//     x0  x1  x2  x3  x4  x5  x6  x7
//       \ |     \ |     \ |     \ |      up-sweep, stride 1
//      0  01   2  23   4  45   6  67
//           \____ |       \____ |        stride 2
//      0  01   2  03   4  45   6  47
//                   \__________ |        stride 4
//      0  01   2  03   4  45   6  07
//                   \____ |              down-sweep, stride 2: node 3 into 5
//      0  01   2  03   4  05   6  07
//           \ |     \ |     \ |          stride 1: odd nodes into the next even one
//      0  01  02  03  04  05  06  07
//
// Inclusive. n = TILE, a power of two: work 2 n - 2 - log2 n, depth 2 log2 n - 1. The up-sweep comes in two
// thread mappings: spaced, where thread t works on element t if (t + 1) % (2 stride) == 0, and contiguous,
// where it works on element (t + 1) 2 stride - 1. The additions are the same; the active lanes differ.
// Source: Brent and Kung, "A regular layout for parallel adders", IEEE ToC C-31(3), 1982; in CUDA, with both
// mappings: Kirk and Hwu, "Programming Massively Parallel Processors", 2nd ed., chapter 9.
#pragma once
#include <cuda_runtime.h>
#include "kernels/textbook/threads.cuh"

namespace trial {

template <Threads UP_SWEEP = Threads::contiguous>
struct BrentKung {
    static_assert(UP_SWEEP != Threads::halving, "the halving tree yields no prefixes");
    static constexpr bool inclusive = true;
    __host__ __device__ static constexpr int threads(int tile) {
        return UP_SWEEP == Threads::spaced ? tile : tile / 2;
    }

    /// Scan tile[Map::at(0 .. count-1)] in place, count <= TILE (an int, or FullTile<TILE>). Called by all
    /// THREADS >= threads(TILE) threads of the block after a barrier; the result may be read after it without
    /// another one.
    template <int TILE, int THREADS, class Map, class T, class Count, class Op>
    __device__ static void scan(T* tile, Count count, Op op) {
        static_assert(THREADS >= threads(TILE), "too few threads for this mapping");
        for (int stride = 1; stride < TILE; stride *= 2) {
            if constexpr (UP_SWEEP == Threads::spaced) {
                if ((threadIdx.x + 1) % (2 * stride) == 0)
                    add<TILE, Map>(tile, threadIdx.x, stride, count, op);
            } else {
                add<TILE, Map>(tile, (threadIdx.x + 1) * 2 * stride - 1, stride, count, op);
            }
            __syncthreads();
        }
        for (int stride = TILE / 4; stride >= 1; stride /= 2) {
            add<TILE, Map>(tile, (threadIdx.x + 1) * 2 * stride - 1 + stride, stride, count, op);
            __syncthreads();
        }
    }

   private:
    /// Add element i - stride to element i.
    template <int TILE, class Map, class T, class Count, class Op>
    __device__ static void add(T* tile, int i, int stride, Count count, Op op) {
        if (i < TILE && i < count) {
            const T left = tile[Map::at(i - stride)];
            const T right = tile[Map::at(i)];
            tile[Map::at(i)] = op(left, right);
        }
    }
};

}  // namespace trial
