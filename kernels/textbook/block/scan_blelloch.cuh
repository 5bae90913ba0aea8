// Blelloch's tree scan of a tile: the up-sweep builds a tree of sums, the down-sweep makes them prefixes.
//
//     3   1   7   0   4   1   6   3         up-sweep: each node adds its left child's sum
//       \ |     \ |     \ |     \ |
//     3   4   7   7   4   5   6   9
//           \____ |       \____ |
//     3   4   7  11   4   5   6  14
//                   \__________ |
//     3   4   7  11   4   5   6  25 -> 0    the root is cleared
//                                           down-sweep: left child := prefix, right := prefix + left sum
//     0   3   4  11  11  15  16  22
//
// Exclusive. n = TILE, a power of two: work 2 (n - 1), of which n - 1 in the down-sweep, which also moves
// n - 1 values; depth 2 log2 n. At stride s the lanes of a warp access elements 2 s apart: with Plain and
// 4-byte elements that is a 2 s-way bank conflict, up to 32-way.
// Source: Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990; in CUDA: Harris, Sengupta and
// Owens, GPU Gems 3, chapter 39, 2007.
#pragma once
#include <cuda_runtime.h>

#include "kernels/textbook/block/tile_scan.cuh"

namespace trial {

struct Blelloch : TileScan<Form::exclusive, 2> {
    template <int TILE, int THREADS, class Map, class T, class Count, class Op>
    __device__ static void scan(T* tile, Count count, Op op) {
        static_assert(THREADS >= threads(TILE), "a thread for each pair of elements");
        for (int stride = 1; stride < TILE; stride *= 2) {
            const int right = (threadIdx.x + 1) * 2 * stride - 1;
            if (right < TILE && right < count) {
                const T a = tile[Map::at(right - stride)];
                const T b = tile[Map::at(right)];
                tile[Map::at(right)] = op(a, b);
            }
            __syncthreads();
        }

        if (threadIdx.x == 0) tile[Map::at(TILE - 1)] = Op::identity();
        __syncthreads();

        for (int stride = TILE / 2; stride >= 1; stride /= 2) {
            const int right = (threadIdx.x + 1) * 2 * stride - 1;
            const int left = right - stride, first = left - stride + 1;
            if (right < TILE && first < count) {
                const T prefix = tile[Map::at(right)];
                if (left + 1 < count) {  // if the right child has elements, the left one is full
                    const T sum = tile[Map::at(left)];
                    tile[Map::at(right)] = op(prefix, sum);
                }
                tile[Map::at(left)] = prefix;
            }
            __syncthreads();
        }
    }
};

}  // namespace trial
