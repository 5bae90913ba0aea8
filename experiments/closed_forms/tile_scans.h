// Cost of scanning one tile, by algorithm.
//
// A tile has n elements, a power of two from 2 to 2,048, 4 bytes each, all present. The block has the
// algorithm's own number of threads. tile_cost.h has the levels of the trees.
#pragma once
#include "experiments/closed_forms/tile_cost.h"
#include "kernels/textbook/threads.cuh"

namespace harness::closed_form {
using namespace trial;

/// Stride s: elements s .. n-1 are active, so all warps of 32 elements but the first s / 32; two barriers per
/// step. Adjacent lanes access adjacent words: no conflicts.
constexpr TileCost hillis_steele(long long n) {
    const long long threads = minimum(n, 1024);
    TileCost cost = load_tile(n, threads);
    cost.ops = hillis_steele_ops(n);
    for (long long s = 1; s < n; s *= 2) {
        const long long warps = ceil_div(n, 32) - s / 32;
        cost.add_operation({warps, warps});
    }
    cost.barriers += 2 * log2(n);
    store_tile(cost, n, threads);
    return cost;
}

/// With two buffers every element is loaded and stored in every step. One barrier per step; if the number of
/// steps is odd, the first has two.
constexpr TileCost hillis_steele_two_buffers(long long n) {
    const long long threads = minimum(n, 1024), warps = ceil_div(n, 32);
    TileCost cost = load_tile(n, threads);
    cost.ops = hillis_steele_ops(n);
    for (long long s = 1; s < n; s *= 2) {
        const long long at_work = warps - s / 32;
        cost.warp_ops += at_work;
        cost.active_warps += minimum(at_work, 32);
        cost.add({at_work, at_work}, 1, 0);
        cost.add({warps, warps}, 1, 1);
    }
    cost.barriers += ceil_div(log2(n), 2) * 2;
    store_tile(cost, n, threads);
    return cost;
}

/// A node takes two loads and one store in the up-sweep, two of each in the down-sweep; one store clears the
/// root.
constexpr TileCost blelloch(long long n) {
    TileCost cost = load_tile(n, n / 2);
    cost.ops = blelloch_ops(n);
    for (long long s = 1; s < n; s *= 2) {
        const Level level = packed(n / (2 * s), 2 * s);
        cost.add_operation(level);
        cost.add_operation(level);
        cost.add(level, 0, 1);
    }
    cost.add({1, 1}, 0, 1);
    cost.barriers += 2 * log2(n) + 1;
    store_tile(cost, n, n / 2);
    return cost;
}

/// With spaced threads, each lane of the up-sweep works on its own element, within its warp's 32 banks: no
/// conflicts, but all warps are active up to stride 16.
constexpr TileCost brent_kung(long long n, Threads up_sweep = Threads::contiguous) {
    const long long threads = up_sweep == Threads::spaced ? n : n / 2;
    TileCost cost = load_tile(n, threads);
    cost.ops = brent_kung_ops(n);
    for (long long s = 1; s < n; s *= 2) {
        cost.add_operation(up_sweep == Threads::spaced ? spaced(n, 2 * s, 1) : packed(n / (2 * s), 2 * s));
    }
    for (long long s = n / 4; s >= 1; s /= 2) {
        cost.add_operation(packed(n / (2 * s) - 1, 2 * s));
    }
    cost.barriers += 2 * log2(n) - 1;
    store_tile(cost, n, threads);
    return cost;
}

/// Every thread is active at every level. A warp writes 32 words out of 64: up to width 16 they fall in pairs
/// into 16 banks.
constexpr TileCost sklansky(long long n) {
    TileCost cost = load_tile(n, n / 2);
    cost.ops = sklansky_ops(n);
    for (long long width = 1; width < n; width *= 2) {
        const long long warps = ceil_div(n / 2, 32);
        cost.add_operation({warps, warps * (n >= 64 && width <= 16 ? 2 : 1)});
    }
    cost.barriers += log2(n);
    store_tile(cost, n, n / 2);
    return cost;
}

/// The scan of one value per thread by w full warps: each warp scans its values in 5 steps; if there are
/// several, all but the last store their sums, one warp scans these, and all but the first load their prefix.
/// The caller adds the operations, and the active warps of all steps but the scan of the sums.
constexpr void add_block_scan(TileCost& cost, long long w) {
    cost.warp_ops += 5 * w;
    if (w == 1) return;
    cost.add({w - 1, w - 1}, 1, 1);
    cost.warp_ops += w - 1;
    cost.barriers += 1;
    if (w == 2) return;  // the one sum is its own scan
    cost.add({1, 1}, 1, 1);
    cost.warp_ops += log2(2 * (w - 1) - 1);
    cost.active_warps += 1;
    cost.barriers += 1;
}

/// n >= 64, one thread per element. Adjacent lanes access adjacent words: no conflicts.
constexpr TileCost kogge_stone(long long n) {
    const long long w = n / 32;
    TileCost cost = load_tile(n, n);
    cost.ops = kogge_stone_ops(n);
    cost.add({w, w}, 1, 1);
    add_block_scan(cost, w);
    cost.active_warps += w + w - 1;
    cost.barriers += 1;
    store_tile(cost, n, n);
    return cost;
}

/// n / items threads, in full warps: each loads its items to reduce them, and again to scan them. No
/// conflicts, as with the index map i + i/32 for 2 to 32 items, a power of two.
constexpr TileCost raking_padded(long long n, long long items) {
    const long long w = n / items / 32;
    TileCost cost = load_tile(n, n / items);
    cost.ops = raking_ops(n, items);
    cost.add({items * w, items * w}, 2, 1);
    cost.warp_ops += (2 * items - 1) * w;
    add_block_scan(cost, w);
    cost.active_warps += w == 1 ? 1 : 2 * w;
    cost.barriers += 1;
    store_tile(cost, n, n / items);
    return cost;
}

// --- The same trees, element i stored at i + i / 32. A row is 32 elements; row r is shifted by r banks.

/// A level's lanes lie in whole rows; a shift by one bank per row keeps up to 32 rows apart. A tile of 2,048
/// has 64 rows: from stride 32 to n / 4 the lanes of a warp span them all, and rows 32 apart share a bank:
/// one conflict per access.
constexpr TileCost blelloch_padded(long long n) {
    TileCost cost = blelloch(n).conflict_free();
    for (long long s = 32; n > 1024 && s <= n / 4; s *= 2) {
        cost.shared_load_wavefronts += 4;
        cost.shared_store_wavefronts += 3;
    }
    return cost;
}

/// n <= 1,024. Free of conflicts except for the right-hand elements of the down-sweep, 2s (j + 1) + s - 1 for
/// lane j: a full warp begins one element late in its first row and ends one element into another row, 2s
/// rows further on. Up to stride 8, where a row has several elements, that last element shares a bank with
/// the first.
constexpr TileCost brent_kung_padded(long long n, Threads up_sweep = Threads::contiguous) {
    TileCost cost = brent_kung(n, up_sweep).conflict_free();
    for (long long s = 1; s <= 8 && s <= n / 4; s *= 2) {
        const long long full_warps = (n / (2 * s) - 1) / 32;
        cost.shared_load_wavefronts += full_warps;
        cost.shared_store_wavefronts += full_warps;
    }
    return cost;
}

// Values that the sources or earlier measurements state.
static_assert(hillis_steele(1024).warp_ops == 289 && blelloch(1024).warp_ops == 72);

// Cost of reducing one tile.
//
// A tile has n elements, a power of two from 2 to 2,048, 4 bytes each, all present. The block has the
// algorithm's own number of threads.

/// Spaced and contiguous threads add the same elements, 2s apart; with halving, adjacent threads add adjacent
/// elements. Thread 0 loads the result.
constexpr TileCost reduce_tree(long long n, Threads threads) {
    TileCost cost = load_tile(n, n / 2);
    cost.ops = reduction_ops(n);
    for (long long s = 1; s < n; s *= 2) {
        cost.add_operation(threads == Threads::spaced       ? spaced(n / 2, s, 2)
                           : threads == Threads::contiguous ? packed(n / (2 * s), 2 * s)
                                                            : packed(s, 1));
    }
    cost.add({1, 1}, 1, 0);
    cost.barriers += log2(n);
    return cost;
}

/// Element i stored at i + i / 32, n <= 1,024.
constexpr TileCost reduce_tree_padded(long long n, Threads threads) {
    return reduce_tree(n, threads).conflict_free();
}

}  // namespace harness::closed_form
