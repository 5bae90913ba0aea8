// Cost of scanning every row, or every column, of a row-major matrix of 4-byte elements.
//
// Rows and columns are powers of two from 32 on, so that every row begins a sector and every warp is whole.
#pragma once
#include "experiments/closed_forms/device_scans.h"
#include "experiments/closed_forms/tile_cost.h"

namespace harness::closed_form {

/// A warp a row: groups of 32 columns, all but the first after a prefix.
constexpr DeviceScanCost scan_rows_by_warps(long long rows, long long columns) {
    const long long groups = columns / 32;
    return {rows * (groups * kogge_stone_warp_ops(32) + (groups - 1) * 32), 1, rows * columns / 8,
            rows * columns / 8};
}

/// A block a line, in tiles of 2,048, 8 elements a thread. A tile after the first adds its prefix to one
/// element. Neighbours of a line lie in one row, 8 in a sector, or each in a sector of its own.
constexpr DeviceScanCost scan_lines_by_blocks(long long lines, long long length, bool along_rows) {
    const long long tile = minimum(2048, length), tiles = length / tile, p = tile / 8;
    const long long of_tile = p * 7 + exclusive_scan_ops(p, 256) + p * 8 - 1;
    const long long sectors = lines * length / (along_rows ? 8 : 1);
    return {lines * (tiles * of_tile + tiles - 1), 1, sectors, sectors};
}

/// Each row as a vector, in one launch.
constexpr DeviceScanCost scan_rows_look_back(long long rows, long long columns, long long items,
                                             long long threads) {
    const DeviceScanCost row = look_back(columns, items * threads);
    return {rows * look_back_ops_in_order(columns, items, threads), 1, rows * row.load_sectors,
            rows * row.store_sectors};
}

/// A thread a column.
constexpr DeviceScanCost scan_columns_by_threads(long long rows, long long columns) {
    return {(rows - 1) * columns, 1, rows * columns / 8, rows * columns / 8};
}

/// Level by level, in chunks of `chunk` rows. All chunks but the last are reduced; all but the first read the
/// sums above them, and add them to their first row.
constexpr DeviceScanCost scan_columns_in_chunks(long long rows, long long columns, long long chunk) {
    const long long whole = ceil_div(rows, chunk) - 1;  // without the last one
    DeviceScanCost cost = scan_columns_by_threads(rows, columns);
    if (whole == 0) return cost;
    const DeviceScanCost reduce = {whole * (chunk - 1) * columns, 1, whole * chunk * columns / 8,
                                   whole * columns / 8};
    cost.load_sectors += whole * columns / 8;
    return cost + reduce + scan_columns_in_chunks(whole, columns, chunk);
}

/// Tiles of `warps` times `items` rows, in strips of 32 columns, whose blocks run one after the other. The
/// status of a column, 8 bytes, is written once by the first tile, not by the last, twice by the others.
/// Within a tile a thread adds up its items, and warp w the sums of w warps.
constexpr DeviceScanCost scan_columns_look_back(long long rows, long long columns, long long items,
                                                long long warps) {
    const long long tiles = ceil_div(rows, items * warps), last = rows - (tiles - 1) * items * warps;
    const long long of_last = ceil_div(last, items);  // its warps with rows
    const long long statuses = tiles == 1 ? 0 : 2 * tiles - 3;
    const long long serial = rows - ((tiles - 1) * warps + of_last);
    const long long above = (tiles - 1) * (warps - 1) * (warps - 2) / 2 + (of_last - 1) * (of_last - 2) / 2;
    const long long totals = tiles - 1, prefixes = tiles == 1 ? 0 : tiles - 2;
    const long long joined = tiles == 1 ? 0 : (tiles - 2) * (warps - 1) + of_last - 1;
    const long long applied = rows - minimum(items, rows);
    return {columns * (serial + above + totals + prefixes + joined + applied), 1, rows * columns / 8,
            rows * columns / 8 + statuses * columns / 4};
}

/// Two transposes around a scan of `columns` rows of so many elements.
constexpr DeviceScanCost scan_columns_transposed(long long rows, long long columns, DeviceScanCost of_rows) {
    const long long sectors = rows * columns / 8;
    return of_rows + DeviceScanCost{0, 2, 2 * sectors, 2 * sectors};
}

}  // namespace harness::closed_form
