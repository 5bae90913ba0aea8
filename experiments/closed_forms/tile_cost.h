// Work and cost of one tile, by arithmetic alone: the "predicted" column of the report. log is to base 2.
#pragma once

namespace harness::closed_form {

constexpr long long minimum(long long a, long long b) { return a < b ? a : b; }
constexpr long long ceil_div(long long a, long long b) { return (a + b - 1) / b; }
constexpr long long log2(long long n) { return n == 1 ? 0 : 1 + log2(n / 2); }

// Operations of one tile, by algorithm: how often the operator is applied.
//
// A tile has n elements, a power of two from 2 to 2,048, all present unless stated otherwise. A level of a
// tree, of stride s, has k nodes, 2s elements apart:
//
//     up-sweep     k = n / 2s        s = 1 .. n/2      node at (j + 1) 2s - 1
//     down-sweep   k = n / 2s        (Blelloch)        k = n / 2s - 1, s = n/4 .. 1   (Brent-Kung)
//
// Sums over the levels: n/2 + n/4 + .. + 1 = n - 1.

/// At stride s all elements but the first s are added to: the sum over s = 2^0 .. n/2 of n - s.
constexpr long long hillis_steele_ops(long long n) { return n * log2(n) - (n - 1); }

/// Both sweeps visit every node. The down-sweep also moves n - 1 values, which are not operations.
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

/// n is a multiple of 32, or below 32. Each of w warps scans its lanes, one warp scans the sums of all but
/// the last, and the lanes of all but the first add their warp's prefix. The same in both forms.
constexpr long long kogge_stone_ops(long long n) {
    const long long warps = ceil_div(n, 32);
    return warps * kogge_stone_warp_ops(minimum(n, 32)) + kogge_stone_warp_ops(warps - 1) + (warps - 1) * 32;
}

/// p = n / items threads: each reduces its items; the p sums are scanned exclusively; each scans its items,
/// all but the first thread starting from their prefix. In the exclusive form the last item is not added.
constexpr long long raking_ops(long long n, long long items, bool inclusive = true) {
    const long long p = n / items;
    return p * (items - 1) + kogge_stone_ops(p) + p * (inclusive ? items : items - 1) - 1;
}

/// For a tile that holds only `count` elements: up, the pairs whose right element is present; down, likewise.
constexpr long long brent_kung_partial_ops(long long count) {
    long long ops = 0;
    for (long long s = 1; s < count; s *= 2) ops += count / (2 * s) + (count - s) / (2 * s);
    return ops;
}

// Values that the sources or earlier measurements state.
static_assert(brent_kung_partial_ops(1024) == brent_kung_ops(1024));
static_assert(brent_kung_ops(16) == 26);

// What the steps of one tile cost a block: warp instructions and wavefronts, for 4-byte elements.

/// One level of an algorithm: the warps with active lanes, and the wavefronts of one access by all active
/// lanes, with the plain index map.
struct Level {
    long long warps = 0, wavefronts = 0;
};

/// `lanes` consecutive threads, each `apart` words (a power of two) from the next. The words of one warp fall
/// into 32 / apart banks, so each bank gets lanes * apart / 32 of them.
constexpr Level packed(long long lanes, long long apart) {
    const long long spread = minimum(apart, 32);
    return {ceil_div(lanes, 32), lanes / 32 * spread + ceil_div(lanes % 32 * spread, 32)};
}

/// Of `threads` threads every `every`-th is active; a thread is `apart` words from the next thread.
constexpr Level spaced(long long threads, long long every, long long apart) {
    const long long warps = minimum(ceil_div(threads, 32), threads / every);
    const long long lanes = every >= 32 ? 1 : minimum(threads, 32) / every;
    return {warps, warps * ceil_div(lanes * minimum(every * apart, 32), 32)};
}

/// Cost of one tile in scan_tiles or reduce_tiles.
struct TileCost {
    long long ops = 0;
    long long warp_ops = 0;
    long long active_warps = 0;  ///< warps that apply the operator, summed over the steps
    long long barriers = 0;
    long long shared_load_requests = 0, shared_store_requests = 0;
    long long shared_load_wavefronts = 0, shared_store_wavefronts = 0;

    /// A level in which every active lane loads `loads` times and stores `stores` times.
    constexpr void add(Level level, int loads, int stores) {
        shared_load_requests += loads * level.warps;
        shared_store_requests += stores * level.warps;
        shared_load_wavefronts += loads * level.wavefronts;
        shared_store_wavefronts += stores * level.wavefronts;
    }
    /// A level in which every active lane applies the operator once to two elements and stores the result.
    constexpr void add_operation(Level level) {
        warp_ops += level.warps;
        active_warps += minimum(level.warps, 32);  // a block has no more; a lane may have several elements
        add(level, 2, 1);
    }
    /// Each request needs one wavefront; the rest are conflicts.
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

/// `threads` threads load the tile, adjacent threads adjacent elements; one barrier follows.
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
