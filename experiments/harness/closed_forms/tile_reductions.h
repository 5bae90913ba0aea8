// What the reduction of one tile costs.
//
// A tile has n elements, a power of two from 2 to 2,048, 4 bytes each, all present. The block has the
// algorithm's own number of threads.
#pragma once
#include "experiments/harness/closed_forms/arithmetic.h"
#include "experiments/harness/closed_forms/tile_cost.h"
#include "experiments/harness/closed_forms/tile_operations.h"
#include "kernels/threads.cuh"

namespace harness::closed_form {

/// Spaced and contiguous threads add the same elements, 2s apart; halving adds neighbours to neighbours.
/// Thread 0 loads the result.
constexpr TileCost reduce_tree(long long n, Threads threads) {
    TileCost cost = load_tile(n, n / 2);
    cost.ops = reduction_ops(n);
    for (long long s = 1; s < n; s *= 2) {
        cost.add_operation(threads == Threads::spaced       ? spaced(n / 2, s, 2)
                           : threads == Threads::contiguous ? packed(n / (2 * s), 2 * s)
                                                            : packed(s, 1));
    }
    cost.add({1, 1}, 1, 0);
    cost.barriers += log2(n);
    return cost;
}

/// Element i stored at i + i / 32, n <= 1,024.
constexpr TileCost reduce_tree_padded(long long n, Threads threads) {
    return reduce_tree(n, threads).conflict_free();
}

}  // namespace harness::closed_form
