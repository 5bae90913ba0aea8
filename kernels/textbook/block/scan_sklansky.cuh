// Sklansky's scan of a tile: neighbouring blocks of 1, 2, 4, ... elements merge; the last element of the left
// block is added to every element of the right one.
//
//     x0  x1  x2  x3  x4  x5  x6  x7
//       \ |     \ |     \ |     \ |      blocks of 1
//      0  01   2  23   4  45   6  67
//           \_|___|       \_|___|        blocks of 2
//      0  01  02  03   4  45  46  47
//                   \_|___|___|___|      blocks of 4
//      0  01  02  03  04  05  06  07
//
// Inclusive. n = TILE, a power of two: work (n / 2) log2 n, depth and barriers log2 n, the minimum depth. All
// n / 2 threads are active in every step.
// Source: Sklansky, "Conditional-sum addition logic", IRE Trans. Electronic Computers EC-9(2), 1960.
#pragma once
#include <cuda_runtime.h>

#include "kernels/textbook/block/tile_scan.cuh"

namespace trial {

struct Sklansky : TileScan<Form::inclusive, 2> {
    template <int TILE, int THREADS, class Map, class T, class Count, class Op>
    __device__ static void scan(T* tile, Count count, Op op) {
        static_assert(THREADS >= threads(TILE), "a thread for each pair of elements");
        const unsigned t = threadIdx.x;
        for (unsigned width = 1; width < TILE; width *= 2) {
            const unsigned start = t / width * 2 * width + width;  // of the right block
            const int i = start + t % width;
            if (i < TILE && i < count) {
                const T left = tile[Map::at(start - 1)];
                const T right = tile[Map::at(i)];
                tile[Map::at(i)] = op(left, right);
            }
            __syncthreads();
        }
    }
};

}  // namespace trial
