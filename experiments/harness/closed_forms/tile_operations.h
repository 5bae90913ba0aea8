// Operations of one tile, by algorithm: how often the operator is applied.
//
// A tile has n elements, a power of two from 2 to 2,048, all present where nothing else is said. A level of a
// tree, of stride s, has k nodes, 2s elements apart:
//
//     up-sweep     k = n / 2s        s = 1 .. n/2      node at (j + 1) 2s - 1
//     down-sweep   k = n / 2s        (Blelloch)        k = n / 2s - 1, s = n/4 .. 1   (Brent-Kung)
//
// Sums over the levels: n/2 + n/4 + .. + 1 = n - 1.
#pragma once
#include "experiments/harness/closed_forms/arithmetic.h"

namespace harness::closed_form {

/// At stride s all elements but the first s are added to: the sum over s = 2^0 .. n/2 of n - s.
constexpr long long hillis_steele_ops(long long n) { return n * log2(n) - (n - 1); }

/// Both sweeps visit every node. The down-sweep also moves n - 1 values, which are no operations.
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

/// n a multiple of 32, or less than that: each of w warps scans its lanes, one scans the sums of all but the
/// last, and the lanes of all but the first add what comes before. Both forms.
constexpr long long kogge_stone_ops(long long n) {
    const long long warps = round_up(n, 32);
    return warps * kogge_stone_warp_ops(minimum(n, 32)) + kogge_stone_warp_ops(warps - 1) + (warps - 1) * 32;
}

/// p = n / items threads: each adds up its items; an exclusive scan of p sums; each scans its items, and all
/// but the first thread begin with what comes before them. In the exclusive form the last item is not added.
constexpr long long raking_ops(long long n, long long items, bool inclusive = true) {
    const long long p = n / items;
    return p * (items - 1) + kogge_stone_ops(p) + p * (inclusive ? items : items - 1) - 1;
}

/// Of a tile that holds count elements, at most n: up, pairs whose right one is there; down, likewise.
constexpr long long brent_kung_partial_ops(long long count) {
    long long ops = 0;
    for (long long s = 1; s < count; s *= 2) ops += count / (2 * s) + (count - s) / (2 * s);
    return ops;
}

// Figures that the sources or earlier measurements state.
static_assert(brent_kung_partial_ops(1024) == brent_kung_ops(1024));
static_assert(brent_kung_ops(16) == 26);

}  // namespace harness::closed_form
