// Raking scan of a tile: each thread sums its chunk of ITEMS consecutive elements serially, the block scans
// these partial sums, and each thread scans its chunk, starting from the chunk's exclusive prefix.
//
//     x0  x1  x2  x3 | x4  x5  x6  x7 | x8  x9 x10 x11 | ..      thread 0 | thread 1 | thread 2 | ..
//     03             | 47             | 811            | ..      serial sums
//     -              | 03             | 07             | ..      exclusive scan of the sums
//     0   01  02  03 | 04  05  06  07 | 08  09 010 011 | ..      serial scans
//
// n = TILE = ITEMS p elements, p threads: work 2 n - p - 1 (exclusive: 2 n - 2 p - 1), depth 2 ITEMS - 1, 1
// barrier, plus those of the exclusive scan of p sums, textbook/block/scan_kogge_stone. Lanes read at a
// stride of ITEMS elements: with Plain and 4-byte elements an odd ITEMS is free of bank conflicts, and any
// other ITEMS causes gcd(ITEMS, 32)-way conflicts. Source: Dotsenko et al., "Fast scan algorithms on graphics
// processors", ICS 2008; Merrill and Grimshaw, "Parallel scan for stream architectures", CS2009-14,
// University of Virginia, 2009.
#pragma once
#include <cuda_runtime.h>

#include "kernels/prefix.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"

namespace trial {

/// This thread's chunk: elements [begin, end) of a tile of `count`; empty if begin == end.
template <int ITEMS_PER_THREAD>
struct Rake {
    int begin, end;

    template <class Count>
    __device__ explicit Rake(Count count)
        : begin(min(static_cast<int>(threadIdx.x) * ITEMS_PER_THREAD, static_cast<int>(count))),
          end(min(begin + ITEMS_PER_THREAD, static_cast<int>(count))) {}

    /// Threads of the block whose chunks are not empty.
    template <class Count>
    __device__ static int threads(Count count) {
        return (count + ITEMS_PER_THREAD - 1) / ITEMS_PER_THREAD;
    }

    /// The sum of the chunk; meaningless if the chunk is empty.
    template <class Map, class T, class Op>
    __device__ T reduce(const T* tile, Op op) const {
        T sum = {};
        if (begin < end) sum = tile[Map::at(begin)];
#pragma unroll
        for (int k = 1; k < ITEMS_PER_THREAD; ++k)
            if (begin + k < end) sum = op(sum, tile[Map::at(begin + k)]);
        return sum;
    }

    /// Scan the chunk in place. prefix: its exclusive prefix.
    template <Form FORM, class Map, class T, class Op>
    __device__ void scan(T* tile, Prefix<T> prefix, Op op) const {
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const int i = begin + k;
            if (i >= end) continue;
            if constexpr (FORM == Form::inclusive) {
                prefix = {combine(prefix, tile[Map::at(i)], op), true};
                tile[Map::at(i)] = prefix.value;
            } else {
                const T value = value_or_identity(prefix, op);
                if (i + 1 < end) prefix = {combine(prefix, tile[Map::at(i)], op), true};
                tile[Map::at(i)] = value;
            }
        }
    }
};

template <int ITEMS_PER_THREAD, Form FORM = Form::inclusive>
struct Raking {
    static constexpr bool inclusive = FORM == Form::inclusive;
    __host__ __device__ static constexpr int threads(int tile) { return tile / ITEMS_PER_THREAD; }

    /// Scan tile[Map::at(0 .. count-1)] in place, count <= TILE (an int, or FullTile<TILE>). Called by all
    /// THREADS >= TILE / ITEMS threads of the block after a barrier; the result may be read after it without
    /// another one.
    template <int TILE, int THREADS, class Map, class T, class Count, class Op>
    __device__ static void scan(T* tile, Count count, Op op) {
        static_assert(TILE % ITEMS_PER_THREAD == 0 && THREADS >= TILE / ITEMS_PER_THREAD,
                      "ITEMS_PER_THREAD elements a thread");
        const Rake<ITEMS_PER_THREAD> rake(count);
        const T sum = rake.template reduce<Map>(tile, op);
        const Prefix<T> prefix = exclusive_block_scan<THREADS>(sum, rake.threads(count), op);
        rake.template scan<FORM, Map>(tile, prefix, op);
        __syncthreads();
    }
};

}  // namespace trial
