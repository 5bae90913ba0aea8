// Hillis-Steele scan of a tile with two buffers: no step writes the buffer that it reads, so one barrier a
// step is enough.
//
//     tile     x0    x1    x2    x3    x4    x5    x6    x7
//               | \   | \   | \   | \   | \   | \   | \   |      stride 1, from tile to other; a barrier
//     other    0    01    12    23    34    45    56    67
//               | \__ | \__ | \__ | \__ | \__ | \__ |     |      stride 2, from other to tile; a barrier
//     tile     0    01    02    03    14    25    36    47
//
// Inclusive. n = TILE: work n log2 n - (n - 1), depth log2 n, as textbook/block/scan_hillis_steele. Barriers:
// log2 n rounded up to an even number, because the first of an odd number of steps works in place. Every step
// writes every element, final or not. No bank conflicts; twice the shared memory.
// Source: Harris, Sengupta and Owens, GPU Gems 3, chapter 39, 2007, example 39-1.
#pragma once
#include <cuda_runtime.h>

#include "kernels/textbook/block/tile_scan.cuh"

namespace trial {

struct HillisSteeleTwoBuffers : TileScan<Form::inclusive, 1> {
    template <int TILE, int THREADS, class Map, class T, class Count, class Op>
    __device__ static void scan(T* tile, Count count, Op op) {
        T* const other = second_buffer<T, Map::size(TILE)>();
        int stride = 1;
        if constexpr (log2(TILE) % 2 == 1) {
            step<TILE, THREADS, Map, true>(tile, tile, stride, count, op);
            stride = 2;
        }
        for (; stride < TILE; stride *= 4) {
            step<TILE, THREADS, Map, false>(tile, other, stride, count, op);
            step<TILE, THREADS, Map, false>(other, tile, 2 * stride, count, op);
        }
    }

   private:
    __host__ __device__ static constexpr int log2(int n) { return n == 1 ? 0 : 1 + log2(n / 2); }

    template <int TILE, int THREADS>
    static constexpr int ITEMS_PER_THREAD = (TILE + THREADS - 1) / THREADS;

    /// One for full and partial tiles.
    template <class T, int SIZE>
    __device__ static T* second_buffer() {
        __shared__ T other[SIZE];
        return other;
    }

    template <int TILE, int THREADS, class Map, bool IN_PLACE, class T, class Count, class Op>
    __device__ static void step(const T* from, T* to, int stride, Count count, Op op) {
        T sum[ITEMS_PER_THREAD<TILE, THREADS>];
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD<TILE, THREADS>; ++k) {
            const int i = threadIdx.x + k * THREADS;
            if (i >= count) continue;
            sum[k] = from[Map::at(i)];
            if (i >= stride) sum[k] = op(from[Map::at(i - stride)], sum[k]);
        }
        if constexpr (IN_PLACE) __syncthreads();  // all reads are done before the writes below
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD<TILE, THREADS>; ++k) {
            const int i = threadIdx.x + k * THREADS;
            if (i < count) to[Map::at(i)] = sum[k];
        }
        __syncthreads();
    }
};

}  // namespace trial
