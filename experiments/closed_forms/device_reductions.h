// Cost of reducing a whole vector: with several elements per thread, and by each way to a single value.
#pragma once
#include "experiments/closed_forms/tile_cost.h"

namespace harness::closed_form {

// --- The reduction with several elements per thread; 4-byte elements, n of any length.

struct ReduceItemsCost {
    long long launches = 0, blocks = 0, barriers = 0, warp_ops = 0;
    long long load_requests = 0, load_sectors = 0;
    long long shared_load_requests = 0, shared_store_requests = 0;
};

/// One tile of `count` elements, in rows of `threads`. In every row but the first, each warp with elements
/// adds them to its sums; the threads' sums are stored and reduced by halving. A full tile is loaded `width`
/// elements at a time.
constexpr void add_items_tile(ReduceItemsCost& cost, long long count, long long tile, long long width,
                              long long threads) {
    constexpr long long SECTOR = 8;
    const long long present = minimum(count, threads), warps = ceil_div(count, 32);
    cost.blocks += 1;
    cost.barriers += 1 + log2(threads);
    cost.load_requests += count == tile ? warps / width : warps;
    cost.load_sectors += ceil_div(count, SECTOR);
    cost.warp_ops += warps - ceil_div(present, 32);
    cost.shared_store_requests += ceil_div(present, 32);
    for (long long s = threads / 2; s >= 1; s /= 2) {
        const long long at_work = ceil_div(present > s ? minimum(present - s, s) : 0, 32);
        cost.warp_ops += at_work;
        cost.shared_load_requests += 2 * at_work;
        cost.shared_store_requests += at_work;
    }
    cost.shared_load_requests += 1;
}

/// Level by level, until one tile is left.
constexpr ReduceItemsCost reduce_items(long long n, long long items, long long width, long long threads) {
    const long long tile = items * threads;
    ReduceItemsCost cost;
    for (bool last = false; !last; n = ceil_div(n, tile)) {
        for (long long base = 0; base < n; base += tile)
            add_items_tile(cost, minimum(tile, n - base), tile, width, threads);
        cost.launches += 1;
        last = n <= tile;
    }
    return cost;
}

// --- The reduction of a vector to one value; 4-byte elements, n >= 1 of any length.

struct ReductionCost {
    long long ops = 0;
    long long launches = 0;
    long long barriers = 0;
    long long atomics = 0;
    long long load_sectors = 0, store_sectors = 0;
};

/// Sectors that `count` consecutive elements touch, 32 per warp; the first lies `offset` elements into a
/// sector.
constexpr long long sectors_of_warps(long long count, long long offset = 0) {
    const long long in_sector = offset % 8, last = count % 32;
    return count / 32 * (in_sector == 0 ? 4 : 5) + (last == 0 ? 0 : ceil_div(in_sector + last, 8));
}

/// One tile per block, level by level; the sums of the levels are stored one after another.
constexpr ReductionCost reduce_recursive(long long n, long long tile) {
    ReductionCost cost;
    cost.ops = n - 1;
    for (long long offset = 0; n > 0;) {
        const long long blocks = ceil_div(n, tile);
        cost.launches += 1;
        cost.barriers += blocks * (1 + log2(tile));
        cost.load_sectors += sectors_of_warps(n, offset);
        cost.store_sectors += blocks;
        offset = cost.launches == 1 ? 0 : offset + n;
        n = blocks == 1 ? 0 : blocks;
    }
    return cost;
}

/// Each block reduces a chunk of whole tiles, 15 elements for each of 256 threads. The sums of the at most
/// 1,024 blocks are then reduced: always by the last block, or, if there are several, by a second launch. A
/// tile takes 12 barriers; finding the last block takes one more per block.
constexpr ReductionCost reduce_chunks(long long n, bool last_block) {
    constexpr long long BLOCKS = 1024, TILE = 15 * 256;
    const long long tiles = ceil_div(n, TILE), blocks = ceil_div(tiles, ceil_div(tiles, BLOCKS));
    ReductionCost cost = {n - 1, 1, 12 * tiles, 0, sectors_of_warps(n), blocks};
    if (!last_block && blocks == 1) return cost;
    cost.launches += last_block ? 0 : 1;
    cost.barriers += last_block ? blocks + 12 : 12;
    cost.atomics = last_block ? blocks : 0;
    cost.load_sectors += sectors_of_warps(blocks);
    cost.store_sectors += 1;
    return cost;
}

/// At most 1,024 blocks of 256 threads; each block adds its sum by an atomic.
constexpr ReductionCost reduce_atomic(long long n) {
    const long long blocks = minimum(1024, ceil_div(n, 256));
    return {n - blocks, 1, 9 * blocks, blocks, sectors_of_warps(n), 0};
}

}  // namespace harness::closed_form
