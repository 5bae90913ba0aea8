// Cost of stream compaction of n 4-byte elements; n must be a multiple of 2,048.
#pragma once
#include "experiments/closed_forms/device_scans.h"
#include "experiments/closed_forms/tile_cost.h"

namespace harness::closed_form {

struct CompactionCost {
    long long launches = 0;
    long long barriers = 0;
    long long load_sectors = 0;
    long long store_sectors = 0;  ///< without the selected elements
};

/// The count and the scatter each read the vector. Every tile of 2,048 writes an 8-byte count. In every tile
/// but the first, all 8 warps read where the tile's output begins. The total takes one sector read and one
/// written.
constexpr CompactionCost compact(long long n) {
    constexpr long long SECTOR = 8, WARPS = 8, ROWS = 64;
    const long long tiles = n / 2048;
    const ThreePhaseCost scan = three_phase(tiles, false, 8);
    return {2 + scan.launches, scan.barriers + tiles * (1 + 1 + 2 * log2(ROWS)),
            2 * n / SECTOR + scan.load_sectors + (tiles - 1) * WARPS + 1, tiles + scan.store_sectors + 1};
}

/// The mask is written from the vector, scanned, and read again; where elements are selected, they and their
/// places are read on top of this.
constexpr CompactionCost compact_by_mask(long long n) {
    constexpr long long SECTOR = 8;
    const ThreePhaseCost scan = three_phase(n, false);
    return {2 + scan.launches, scan.barriers, 2 * n / SECTOR + scan.load_sectors + 1,
            n / SECTOR + scan.store_sectors + 1};
}

/// The vector is read once.
constexpr CompactionCost compact_by_cursor(long long n, bool by_block) {
    constexpr long long SECTOR = 8, ROWS = 64;
    return {1, by_block ? n / 2048 * (2 + 2 * log2(ROWS)) : 0, n / SECTOR, 0};
}

}  // namespace harness::closed_form
