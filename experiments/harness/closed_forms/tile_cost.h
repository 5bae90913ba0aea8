// What the steps of one tile cost a block: warp instructions and passes over the banks, elements of 4 bytes.
#pragma once
#include "experiments/harness/closed_forms/arithmetic.h"

namespace harness::closed_form {

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

}  // namespace harness::closed_form
