// Raking scan of a tile: each thread adds up ITEMS neighbours one after another, the block scans these
// partial sums, and each thread scans its neighbours, beginning with what comes before them.
//
//     x0  x1  x2  x3 | x4  x5  x6  x7 | x8  x9 x10 x11 | ..      thread 0 | thread 1 | thread 2 | ..
//     03             | 47             | 811            | ..      serial sums
//     -              | 03             | 07             | ..      exclusive scan of the sums
//     0   01  02  03 | 04  05  06  07 | 08  09 010 011 | ..      serial scans
//
// n = TILE = ITEMS p elements, p threads: work 2 n - p - 1 (exclusive: 2 n - 2 p - 1), depth 2 ITEMS - 1, 1
// barrier, and those of the exclusive scan of p sums, textbook/block/scan_kogge_stone. Lanes read ITEMS elements
// apart: with Plain and 4-byte elements there is no bank conflict where ITEMS is odd, and gcd(ITEMS, 32)
// lanes meet in a bank otherwise. Source: Dotsenko et al., "Fast scan algorithms on graphics processors", ICS
// 2008; Merrill and Grimshaw, "Parallel scan for stream architectures", CS2009-14, University of Virginia,
// 2009.
#pragma once
#include <cuda_runtime.h>

#include "kernels/prefix.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"

/// The elements [begin, end) of a tile of `count` that this thread adds up; none if begin == end.
template <int ITEMS_PER_THREAD>
struct Rake {
    int begin, end;

    template <class Count>
    __device__ explicit Rake(Count count)
        : begin(min(static_cast<int>(threadIdx.x) * ITEMS_PER_THREAD, static_cast<int>(count))),
          end(min(begin + ITEMS_PER_THREAD, static_cast<int>(count))) {}

    /// Threads of the block that have elements.
    template <class Count>
    __device__ static int threads(Count count) {
        return (count + ITEMS_PER_THREAD - 1) / ITEMS_PER_THREAD;
    }

    /// The sum of all elements; of no use if there is none.
    template <class Map, class T, class Op>
    __device__ T reduce(const T* tile, Op op) const {
        T sum = {};
        if (begin < end) sum = tile[Map::at(begin)];
#pragma unroll
        for (int k = 1; k < ITEMS_PER_THREAD; ++k)
            if (begin + k < end) sum = op(sum, tile[Map::at(begin + k)]);
        return sum;
    }

    /// Scan in place, beginning with what comes before.
    template <Form FORM, class Map, class T, class Op>
    __device__ void scan(T* tile, Prefix<T> before, Op op) const {
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const int i = begin + k;
            if (i >= end) continue;
            if constexpr (FORM == Form::inclusive) {
                before = {combine(before, tile[Map::at(i)], op), true};
                tile[Map::at(i)] = before.value;
            } else {
                const T value = value_or_identity(before, op);
                if (i + 1 < end) before = {combine(before, tile[Map::at(i)], op), true};
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
                      "ITEMS elements a thread");
        const Rake<ITEMS_PER_THREAD> rake(count);
        const T sum = rake.template reduce<Map>(tile, op);
        const Prefix<T> before = exclusive_block_scan<THREADS>(sum, rake.threads(count), op);
        rake.template scan<FORM, Map>(tile, before, op);
        __syncthreads();
    }
};
