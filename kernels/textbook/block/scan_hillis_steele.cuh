// Hillis-Steele scan of a tile: at strides 1, 2, 4, ... every element adds the element one stride before it.
//
//     x0    x1    x2    x3    x4    x5    x6    x7
//      | \   | \   | \   | \   | \   | \   | \   |      stride 1
//      0    01    12    23    34    45    56    67
//      | \__ | \__ | \__ | \__ | \__ | \__ |     |      stride 2
//      0    01    02    03    14    25    36    47
//      |     |     |     |  \______ and so on           stride 4
//      0    01    02    03    04    05    06    07
//
// Inclusive. n = TILE: work n log2 n - (n - 1), depth log2 n, barriers 2 log2 n. No bank conflicts.
// Source: Hillis and Steele, "Data parallel algorithms", CACM 29(12), 1986.
#pragma once
#include <cuda_runtime.h>

#include "kernels/textbook/block/tile_scan.cuh"

namespace trial {

struct HillisSteele : TileScan<Form::inclusive, 1> {
    template <int TILE, int THREADS, class Map, class T, class Count, class Op>
    __device__ static void scan(T* tile, Count count, Op op) {
        constexpr int ITEMS_PER_THREAD = (TILE + THREADS - 1) / THREADS;
        T sum[ITEMS_PER_THREAD];
        for (int stride = 1; stride < TILE; stride *= 2) {
#pragma unroll
            for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
                const int i = threadIdx.x + k * THREADS;
                if (i >= stride && i < count) {
                    const T left = tile[Map::at(i - stride)];
                    const T right = tile[Map::at(i)];
                    sum[k] = op(left, right);
                }
            }
            __syncthreads();  // all reads are done before the writes below
#pragma unroll
            for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
                const int i = threadIdx.x + k * THREADS;
                if (i >= stride && i < count) tile[Map::at(i)] = sum[k];
            }
            __syncthreads();
        }
    }
};

}  // namespace trial
