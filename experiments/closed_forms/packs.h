// Cost of a pass over a vector by packs: textbook/device/copy_packs and reduce_packs.
#pragma once
#include "experiments/closed_forms/tile_cost.h"

namespace harness::closed_form {

struct PacksCost {
    long long tiles = 0, requests = 0, sectors = 0;  ///< requests and sectors of one side, loads or stores
};

/// n elements of 4 bytes, in tiles of `loads` rows of `threads` packs, of `width` bytes each. 32 lanes with
/// consecutive packs make a request; a sector has 32 bytes. Elements after the last pack, if there are any,
/// are fewer than 4: one request more, to one sector.
constexpr PacksCost passed_by_packs(long long n, long long width, long long loads, long long threads) {
    const long long packs = 4 * n / width, rest = 4 * n % width > 0 ? 1 : 0;
    return {ceil_div(packs, loads * threads), ceil_div(packs, 32) + rest, ceil_div(packs * width, 32) + rest};
}

/// Each thread of each block starts from zero; the block reduces the sums of its threads by halving.
constexpr long long reduce_packs_ops(long long n, long long blocks, long long threads) {
    return n + blocks * (threads - 1);
}

}  // namespace harness::closed_form
