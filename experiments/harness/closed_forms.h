// What the kernels must do, by arithmetic alone: the "predicted" column of the report.
//
// A tile has n elements, a power of two from 2 to 2,048, 4 bytes each, all present; log is to base 2. The
// block has the algorithm's own number of threads. A tree's level of stride s has k nodes, the elements 2s
// apart:
//
//     up-sweep     k = n / 2s        s = 1 .. n/2      node at (j + 1) 2s - 1
//     down-sweep   k = n / 2s        (Blelloch)        k = n / 2s - 1, s = n/4 .. 1   (Brent-Kung)
//
// Sums over the levels: n/2 + n/4 + .. + 1 = n - 1.
#pragma once
#include "kernels/threads.cuh"

namespace harness::closed_form {

constexpr long long minimum(long long a, long long b) { return a < b ? a : b; }
constexpr long long round_up(long long a, long long b) { return (a + b - 1) / b; }
constexpr long long log2(long long n) { return n == 1 ? 0 : 1 + log2(n / 2); }

// --- Operations of one tile.

/// At stride s all elements but the first s are added to: the sum over s = 2^0 .. n/2 of n - s.
constexpr long long hillis_steele_ops(long long n) { return n * log2(n) - (n - 1); }

/// Both sweeps visit every node. The down-sweep also moves n - 1 values, which are no operations.
constexpr long long blelloch_ops(long long n) { return 2 * (n - 1); }

/// n - 1 up; down, the sum over s = n/4 .. 1 of n/2s - 1, which is (n - 2) - (log n - 1).
constexpr long long brent_kung_ops(long long n) { return 2 * n - 2 - log2(n); }

/// Half of the elements at each of log n levels.
constexpr long long sklansky_ops(long long n) { return n / 2 * log2(n); }

constexpr long long reduction_ops(long long n) { return n - 1; }

/// Hillis-Steele's dataflow on any number of elements: the sum over s = 1, 2, 4, .. < n of n - s.
constexpr long long kogge_stone_warp_ops(long long n) {
    long long ops = 0;
    for (long long s = 1; s < n; s *= 2) ops += n - s;
    return ops;
}

/// n a multiple of 32, or less than that: each of w warps scans its lanes, one scans the sums of all but the
/// last, and the lanes of all but the first add what comes before; in the exclusive form all of these lanes
/// but the first.
constexpr long long kogge_stone_ops(long long n, bool inclusive = true) {
    const long long warps = round_up(n, 32);
    return warps * kogge_stone_warp_ops(minimum(n, 32)) + kogge_stone_warp_ops(warps - 1) +
           (warps - 1) * (inclusive ? 32 : 31);
}

/// p = n / items threads: each adds up its items; an exclusive scan of p sums; each scans its items, and all
/// but the first thread begin with what comes before them. In the exclusive form the last item is not added.
constexpr long long raking_ops(long long n, long long items, bool inclusive = true) {
    const long long p = n / items;
    return p * (items - 1) + kogge_stone_ops(p, false) + p * (inclusive ? items : items - 1) - 1;
}

/// Of a tile that holds count elements, at most n: up, pairs whose right one is there; down, likewise.
constexpr long long brent_kung_partial_ops(long long count) {
    long long ops = 0;
    for (long long s = 1; s < count; s *= 2) ops += count / (2 * s) + (count - s) / (2 * s);
    return ops;
}

// --- Warp instructions and passes over the banks.

/// One level of an algorithm: warps that have work, and passes over the 32 banks that one access by all of
/// its lanes takes (wavefronts), with the plain index map.
struct Level {
    long long warps = 0, wavefronts = 0;
};

/// `lanes` consecutive threads, each `apart` words (a power of two) from the next. The words of one warp meet
/// in 32 / apart banks, so each bank gets lanes * apart / 32 of them.
constexpr Level packed(long long lanes, long long apart) {
    const long long spread = minimum(apart, 32);
    return {round_up(lanes, 32), lanes / 32 * spread + round_up(lanes % 32 * spread, 32)};
}

/// Of `threads` threads every `every`-th works; a thread is `apart` words from the next thread.
constexpr Level spaced(long long threads, long long every, long long apart) {
    const long long warps = minimum(round_up(threads, 32), threads / every);
    const long long lanes = every >= 32 ? 1 : minimum(threads, 32) / every;
    return {warps, warps * round_up(lanes * minimum(every * apart, 32), 32)};
}

/// What one tile costs on the way through scan_tiles or reduce_tiles.
struct TileCost {
    long long ops = 0;
    long long warp_ops = 0;
    long long active_warps = 0;  ///< warps that apply the operator, summed over the steps
    long long barriers = 0;
    long long shared_load_requests = 0, shared_store_requests = 0;
    long long shared_load_wavefronts = 0, shared_store_wavefronts = 0;

    /// A level in which every lane at work loads `loads` times and stores `stores` times.
    constexpr void add(Level level, int loads, int stores) {
        shared_load_requests += loads * level.warps;
        shared_store_requests += stores * level.warps;
        shared_load_wavefronts += loads * level.wavefronts;
        shared_store_wavefronts += stores * level.wavefronts;
    }
    /// A level in which each lane at work applies the operator once to two elements and stores the result.
    constexpr void add_operation(Level level) {
        warp_ops += level.warps;
        active_warps += minimum(level.warps, 32);  // a block has no more; a lane may have several elements
        add(level, 2, 1);
    }
    /// Each request takes one pass of its own; the rest are conflicts.
    constexpr long long bank_conflicts() const {
        return shared_load_wavefronts + shared_store_wavefronts - shared_load_requests -
               shared_store_requests;
    }
    /// The same requests under an index map without conflicts.
    constexpr TileCost conflict_free() const {
        TileCost cost = *this;
        cost.shared_load_wavefronts = shared_load_requests;
        cost.shared_store_wavefronts = shared_store_requests;
        return cost;
    }
};

/// The tile comes in through `threads` threads, neighbours to neighbours: one barrier after it.
constexpr TileCost load_tile(long long n, long long threads) {
    TileCost cost;
    for (long long i = 0; i < n / threads; ++i) cost.add(packed(threads, 1), 0, 1);
    cost.barriers = 1;
    return cost;
}
constexpr void store_tile(TileCost& cost, long long n, long long threads) {
    for (long long i = 0; i < n / threads; ++i) cost.add(packed(threads, 1), 1, 0);
}

/// Stride s: elements s .. n-1, so all warps of 32 elements but the first s / 32; two barriers a step.
/// Neighbours are read and written: no conflicts.
constexpr TileCost hillis_steele(long long n) {
    const long long threads = minimum(n, 1024);
    TileCost cost = load_tile(n, threads);
    cost.ops = hillis_steele_ops(n);
    for (long long s = 1; s < n; s *= 2) {
        const long long warps = round_up(n, 32) - s / 32;
        cost.add_operation({warps, warps});
    }
    cost.barriers += 2 * log2(n);
    store_tile(cost, n, threads);
    return cost;
}

/// A node is two loads and one store going up, two of each coming down; one store clears the root.
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

/// Spaced, the up-sweep's lanes each work at their own element, within their own warp's 32 banks: no
/// conflicts, but all warps up to stride 16.
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

/// Every thread works at every level. In a warp, 32 words out of 64 are written: up to width 16 they meet in
/// pairs in 16 banks.
constexpr TileCost sklansky(long long n) {
    TileCost cost = load_tile(n, n / 2);
    cost.ops = sklansky_ops(n);
    for (long long width = 1; width < n; width *= 2) {
        const long long warps = round_up(n / 2, 32);
        cost.add_operation({warps, warps * (n >= 64 && width <= 16 ? 2 : 1)});
    }
    cost.barriers += log2(n);
    store_tile(cost, n, n / 2);
    return cost;
}

/// Spaced and contiguous threads add the same elements, 2s apart; halving adds neighbours to neighbours.
/// Thread 0 loads the result.
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

// --- The same trees, element i stored at i + i / 32. A row is 32 elements; row r is shifted by r banks.

/// A level's lanes lie in whole rows; a shift by one bank a row keeps up to 32 rows apart. A tile of 2,048
/// has 64: from stride 32 to n / 4 the lanes of a warp span them all, and rows 32 apart share a bank: one
/// conflict an access.
constexpr TileCost blelloch_padded(long long n) {
    TileCost cost = blelloch(n).conflict_free();
    for (long long s = 32; n > 1024 && s <= n / 4; s *= 2) {
        cost.shared_load_wavefronts += 4;
        cost.shared_store_wavefronts += 3;
    }
    return cost;
}

/// n <= 1,024. Free of conflicts but for the right-hand elements of the down-sweep, 2s (j + 1) + s - 1 for
/// lane j: a full warp begins one element late in its first row and ends one element into another, 2s rows
/// on. Up to stride 8, when a row has several elements, that last one meets the first in its bank.
constexpr TileCost brent_kung_padded(long long n, Threads up_sweep = Threads::contiguous) {
    TileCost cost = brent_kung(n, up_sweep).conflict_free();
    for (long long s = 1; s <= 8 && s <= n / 4; s *= 2) {
        const long long full_warps = (n / (2 * s) - 1) / 32;
        cost.shared_load_wavefronts += full_warps;
        cost.shared_store_wavefronts += full_warps;
    }
    return cost;
}

/// n <= 1,024.
constexpr TileCost reduce_tree_padded(long long n, Threads threads) {
    return reduce_tree(n, threads).conflict_free();
}

// --- The device-wide scan in three phases; tiles of 1,024, n a power of two and at least that, 4-byte
// elements.

struct ThreePhaseCost {
    long long ops = 0;
    long long launches = 0;
    long long copies = 0;
    long long bytes_each_way = 0;  ///< over the bus, down and then up
    long long load_sectors = 0, store_sectors = 0;
};

/// One level: scan the tiles; if there are several, scan their sums (on the host, or by a level above) and
/// add.
///
/// A sector is 32 bytes, 8 elements. Scanning a level reads and writes every element, and writes one sum a
/// tile, a sector each. Adding reads and writes all elements but the first tile's; each of the block's 16
/// warps also reads its one prefix, a sector.
constexpr ThreePhaseCost three_phase(long long n, bool host_spine) {
    constexpr long long TILE = 1024, WARPS = TILE / 2 / 32, SECTOR = 8;
    ThreePhaseCost cost;
    const long long tiles = round_up(n, TILE);
    cost.ops = tiles * brent_kung_ops(minimum(n, TILE));
    cost.launches = 1;
    cost.load_sectors = cost.store_sectors = round_up(n, SECTOR);
    if (tiles == 1) return cost;

    cost.store_sectors += tiles;
    if (host_spine) {
        cost.copies = 2;
        cost.bytes_each_way = tiles * 4;
    } else {
        const ThreePhaseCost spine = three_phase(tiles, false);
        cost.ops += spine.ops;
        cost.launches += spine.launches;
        cost.load_sectors += spine.load_sectors;
        cost.store_sectors += spine.store_sectors;
    }
    cost.ops += n - TILE;
    cost.launches += 1;
    cost.load_sectors += (tiles - 1) * (TILE / SECTOR + WARPS);
    cost.store_sectors += (tiles - 1) * (TILE / SECTOR);
    return cost;
}

// --- Device-wide scans that move less; 4-byte elements, n of any length.

struct DeviceScanCost {
    long long ops = 0;
    long long launches = 0;
    long long load_sectors = 0, store_sectors = 0;
};

/// Tiles of 1,024. One level: reduce all tiles but the last, which writes a sum a tile; scan the sums, by a
/// level above; scan every tile, of which all but the first read their prefix and add it to an element.
constexpr DeviceScanCost reduce_then_scan(long long n) {
    constexpr long long TILE = 1024, SECTOR = 8;
    DeviceScanCost cost;
    const long long before_last = round_up(n, TILE) - 1;
    cost.ops = before_last * brent_kung_ops(TILE) + brent_kung_partial_ops(n - before_last * TILE);
    cost.launches = 1;
    cost.load_sectors = cost.store_sectors = round_up(n, SECTOR);
    if (before_last == 0) return cost;

    const DeviceScanCost spine = reduce_then_scan(before_last);
    cost.ops += before_last * (reduction_ops(TILE) + 1) + spine.ops;
    cost.launches += 1 + spine.launches;
    cost.load_sectors += before_last * (TILE / SECTOR + 1) + spine.load_sectors;
    cost.store_sectors += before_last + spine.store_sectors;
    return cost;
}

/// Tiles of `tile` elements. Every element is read and written once, and the status of every tile is written
/// twice, of the first one once. What looking back reads and adds up depends on who runs when.
constexpr DeviceScanCost look_back(long long n, long long tile) {
    constexpr long long SECTOR = 8;
    DeviceScanCost cost;
    cost.launches = 1;
    cost.load_sectors = round_up(n, SECTOR);
    cost.store_sectors = round_up(n, SECTOR) + 2 * round_up(n, tile) - 1;
    return cost;
}

// The figures that the sources and earlier measurements state.
static_assert(hillis_steele(1024).warp_ops == 289 && blelloch(1024).warp_ops == 72);
static_assert(brent_kung_partial_ops(1024) == brent_kung_ops(1024));
static_assert(brent_kung_ops(16) == 26 && three_phase(1 << 21, false).launches == 5);

}  // namespace harness::closed_form
