// Cost of scanning a vector in parts, one part after another.
#pragma once
#include "experiments/closed_forms/device_reductions.h"
#include "experiments/closed_forms/device_scans.h"

namespace harness::closed_form {

/// Parts of n 4-byte elements. All parts but the last are reduced, the last block finishing; the totals are
/// exchanged by flags; every part is scanned with look-back in tiles of `items` elements for each of 256
/// threads, starting from the part's seed.
constexpr DeviceScanCost scan_in_parts(long long parts, long long n, long long items) {
    constexpr long long THREADS = 256;
    const long long tile = items * THREADS;
    DeviceScanCost cost;
    for (long long part = 0; part < parts; ++part) {
        const ReductionCost reduce = reduce_chunks(n, true);
        const long long later = parts - 1 - part;
        if (later > 0) cost = cost + DeviceScanCost{reduce.ops, 1, reduce.load_sectors, reduce.store_sectors};

        // The exchange: the total is read and written to all later parts; the totals of earlier parts are
        // polled, which counts as no load, and scanned by a warp.
        cost.launches += 1;
        cost.ops += kogge_stone_warp_ops(part);
        cost.load_sectors += later > 0 ? 1 : 0;
        cost.store_sectors += later + 2;  // the seed is a value and whether there is one

        DeviceScanCost scan = look_back(n, tile);
        scan.ops = look_back_ops_in_order(n, items, THREADS);
        scan.load_sectors += 1 + (part > 0 ? 1 : 0);  // whether there is a seed, and the seed
        if (part > 0) scan.ops += 1 + ceil_div(minimum(n, tile), items);
        cost = cost + scan;
    }
    return cost;
}

}  // namespace harness::closed_form
