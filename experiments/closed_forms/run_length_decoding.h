// Cost of run-length decoding: `runs` 8-byte lengths, n 4-byte elements written.
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

/// The lengths are scanned; then one block decodes each 2,048 elements of the output. One of them writes the
/// total.
constexpr DecodingCost run_length_decode(long long runs, long long n) {
    const ThreePhaseCost scan = three_phase(runs, false, 8);
    return {1 + scan.launches, scan.barriers + ceil_div(n, 2048), 0, scan.store_sectors + ceil_div(n, 8) + 1};
}

/// One block per 256 runs scans their lengths by Hillis-Steele. Its output may begin anywhere, so the stores
/// have no closed form.
constexpr DecodingCost run_length_decode_by_cursor(long long runs) {
    const long long blocks = ceil_div(runs, 256);
    return {1, blocks * (2 + 2 * log2(256)), blocks, 0};
}

}  // namespace harness::closed_form
