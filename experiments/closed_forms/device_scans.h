// Cost of scanning a whole vector: in three phases, by reduce-then-scan, and with look-back.
#pragma once
#include "experiments/closed_forms/tile_cost.h"
#include "experiments/closed_forms/tile_scans.h"

namespace harness::closed_form {

// --- The device-wide scan in three phases; tiles of 1,024, n of any length.

struct ThreePhaseCost {
    long long ops = 0;
    long long launches = 0;
    long long copies = 0;
    long long bytes_each_way = 0;  ///< over the bus, down and then up
    long long load_sectors = 0, store_sectors = 0;
    long long barriers = 0;
};

/// One level: scan the tiles; if there are several, scan their sums (on the host or by the next level) and
/// add them.
///
/// A sector is 32 bytes, 8 elements of 4 bytes. Scanning a level reads and writes every element, and writes
/// one sum per tile, one sector each. Adding reads and writes all elements but the first tile's; each of the
/// block's 16 warps that has elements also reads its one prefix, a sector.
constexpr ThreePhaseCost three_phase(long long n, bool host_spine, long long bytes = 4) {
    constexpr long long TILE = 1024, WARPS = TILE / 2 / 32;
    const long long sector = 32 / bytes;
    ThreePhaseCost cost;
    const long long tiles = ceil_div(n, TILE), last = n - (tiles - 1) * TILE;
    cost.ops = (tiles - 1) * brent_kung_ops(TILE) + brent_kung_partial_ops(last);
    cost.launches = 1;
    cost.barriers = tiles * brent_kung(TILE).barriers;
    cost.load_sectors = cost.store_sectors = ceil_div(n, sector);
    if (tiles == 1) return cost;

    cost.store_sectors += tiles;
    if (host_spine) {
        cost.copies = 2;
        cost.bytes_each_way = tiles * bytes;
    } else {
        const ThreePhaseCost spine = three_phase(tiles, false, bytes);
        cost.ops += spine.ops;
        cost.launches += spine.launches;
        cost.barriers += spine.barriers;
        cost.load_sectors += spine.load_sectors;
        cost.store_sectors += spine.store_sectors;
    }
    cost.ops += n - TILE;
    cost.launches += 1;
    cost.load_sectors +=
        ceil_div(n - TILE, sector) + (tiles - 2) * WARPS + minimum(WARPS, ceil_div(last, 32));
    cost.store_sectors += ceil_div(n - TILE, sector);
    return cost;
}

// Values that the sources or earlier measurements state.
static_assert(three_phase(1 << 21, false).launches == 5);

// --- Device-wide scans that move less; 4-byte elements, n of any length.

struct DeviceScanCost {
    long long ops = 0;
    long long launches = 0;
    long long load_sectors = 0, store_sectors = 0;
};
constexpr DeviceScanCost operator+(const DeviceScanCost& a, const DeviceScanCost& b) {
    return {a.ops + b.ops, a.launches + b.launches, a.load_sectors + b.load_sectors,
            a.store_sectors + b.store_sectors};
}

/// Tiles of 1,024. One level: reduce all tiles but the last, which writes one sum per tile; scan the sums by
/// the next level; scan every tile, where all tiles but the first read their prefix and add it to one
/// element.
constexpr DeviceScanCost reduce_then_scan(long long n) {
    constexpr long long TILE = 1024, SECTOR = 8;
    DeviceScanCost cost;
    const long long before_last = ceil_div(n, TILE) - 1;
    cost.ops = before_last * brent_kung_ops(TILE) + brent_kung_partial_ops(n - before_last * TILE);
    cost.launches = 1;
    cost.load_sectors = cost.store_sectors = ceil_div(n, SECTOR);
    if (before_last == 0) return cost;

    const DeviceScanCost spine = reduce_then_scan(before_last);
    cost.ops += before_last * (reduction_ops(TILE) + 1) + spine.ops;
    cost.launches += 1 + spine.launches;
    cost.load_sectors += before_last * (TILE / SECTOR + 1) + spine.load_sectors;
    cost.store_sectors += before_last + spine.store_sectors;
    return cost;
}

/// Tiles of `tile` elements. Every element is read and written once. The status of every tile is written
/// twice, that of the first tile once, in 4-byte words. What look-back reads and combines depends on the
/// schedule.
constexpr DeviceScanCost look_back(long long n, long long tile, long long bytes = 4) {
    const long long sector = 32 / bytes;
    DeviceScanCost cost;
    cost.launches = 1;
    cost.load_sectors = ceil_div(n, sector);
    cost.store_sectors = ceil_div(n, sector) + ceil_div(bytes, 4) * (2 * ceil_div(n, tile) - 1);
    return cost;
}

/// The exclusive scan of the first p of `threads` values, for any p: see kogge_stone_ops.
constexpr long long exclusive_scan_ops(long long p, long long threads) {
    const long long whole = p / 32;
    const long long in_warps = whole * kogge_stone_warp_ops(32) + kogge_stone_warp_ops(p % 32);
    const long long after_first_warp = p > 32 ? p - 32 : 0;
    return in_warps + kogge_stone_warp_ops(minimum(whole, threads / 32 - 1)) + after_first_warp;
}

/// One tile of a look-back scan, of `count` elements: p threads reduce their elements, scan the sums, and
/// scan their elements from the resulting prefix. All tiles but the first: one operation for the tile's own
/// prefix, and one for each of the p threads but the first, which has no prefix within the tile. The previous
/// tile has published its inclusive prefix, so look-back combines nothing.
constexpr long long look_back_tile_ops(long long count, long long items, long long threads, bool first) {
    const long long p = ceil_div(count, items);
    const long long within = count - p + exclusive_scan_ops(p, threads) + (p > 1 ? 1 : 0);
    return first ? within + count - 1 : within + 1 + (p - 1) + count;
}

/// The operations of a look-back scan whose blocks run one after the other.
constexpr long long look_back_ops_in_order(long long n, long long items, long long threads) {
    const long long tile = items * threads, before_last = ceil_div(n, tile) - 1;
    const long long last = n - before_last * tile;
    if (before_last == 0) return look_back_tile_ops(last, items, threads, true);
    return look_back_tile_ops(tile, items, threads, true) +
           (before_last - 1) * look_back_tile_ops(tile, items, threads, false) +
           look_back_tile_ops(last, items, threads, false);
}

/// The same in the exclusive form, n > 1: no thread adds the last of its elements to what it writes.
constexpr long long look_back_exclusive_ops_in_order(long long n, long long items, long long threads) {
    return look_back_ops_in_order(n, items, threads) - ceil_div(n, items);
}

}  // namespace harness::closed_form
