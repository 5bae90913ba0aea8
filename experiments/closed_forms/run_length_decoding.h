// What run-length decoding costs: `runs` lengths of 8 bytes, n 4-byte elements written.
#pragma once
#include "experiments/closed_forms/device_scans.h"
#include "experiments/closed_forms/tile_cost.h"

namespace harness::closed_form {

struct DecodingCost {
    long long launches = 0;
    long long barriers = 0;
    long long atomics = 0;
    long long store_sectors = 0;
};

/// The lengths are scanned; then a block for each 2,048 elements of the output, of which one writes how many
/// there are in all.
constexpr DecodingCost run_length_decode(long long runs, long long n) {
    const ThreePhaseCost scan = three_phase(runs, false, 8);
    return {1 + scan.launches, scan.barriers + round_up(n, 2048), 0, scan.store_sectors + round_up(n, 8) + 1};
}

/// A block for each 256 runs, which scans their lengths by Hillis-Steele. What it writes begins anywhere.
constexpr DecodingCost run_length_decode_by_cursor(long long runs) {
    const long long blocks = round_up(runs, 256);
    return {1, blocks * (2 + 2 * log2(256)), blocks, 0};
}

}  // namespace harness::closed_form
