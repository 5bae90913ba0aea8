// Cost of a radix sort of n keys of `key_bytes`, payloads of `payload_bytes`; n must be a multiple of four
// tiles.
#pragma once
#include "experiments/closed_forms/device_scans.h"
#include "experiments/closed_forms/tile_cost.h"

namespace harness::closed_form {

struct SortingCost {
    long long launches = 0;
    long long barriers = 0;
    long long atomics = 0;
    long long load_sectors = 0;
};

/// Each pass: count the digits of every tile, by one atomic request per 32 elements; scan the 8-byte counts;
/// scatter. Keys are read twice and payloads once. A tile reads where each of its digits begins, one sector
/// each, except for the very first one.
constexpr SortingCost radix_sort(long long n, long long key_bytes, long long payload_bytes,
                                 long long digit_bits, long long tile) {
    const long long passes = ceil_div(8 * key_bytes, digit_bits), tiles = n / tile;
    const long long counts = tiles << digit_bits, count = 2;
    const long long ranks = 3 + (digit_bits == 1 ? 0 : 2 * digit_bits);
    const long long exchanges = payload_bytes == 0 ? 1 : 3;
    const ThreePhaseCost scan = three_phase(counts, false, 8);
    return {passes * (2 + scan.launches), passes * (scan.barriers + tiles * (count + ranks + exchanges)),
            passes * n / 32,
            passes * (n * (2 * key_bytes + payload_bytes) / 32 + scan.load_sectors + counts - 1)};
}

}  // namespace harness::closed_form
