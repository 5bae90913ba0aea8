// The ring of stages in shared memory by which the warps of a block hand on tiles: fast/detail/scan_ring and
// fast/compact.
//
//     producer --landed--> reduce --reduced--> store --emptied--> producer
//                  \-----> look-ahead --prefixed--/
//
// One barrier a stage for each arrow. The warp that publishes a tile's sum empties the stage as well, as it
// reads the sums of the warps after the others may have gone on. What orders the accesses:
//
//     what            written by    after      read by              after      written anew after
//     space           copy engine   emptied    reduce, store        landed     reduced: by store, in place
//     sums            reduce        landed     store, publisher     reduced    emptied, landed
//     prefixes        look-ahead    landed     store                prefixed   emptied, landed
//     tiles           producer      emptied    all others           landed     emptied
//
// A warp that has met, __syncwarp(), arrives by one lane, which speaks for all. Tools that look for races
// know arrivals of the lane itself only: with ARRIVALS = 32 of a policy each speaks for itself.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/bulk_copy.cuh"

/// Shared memory of a block. Barriers of stage s end phase p when stage s is used for the p-th time. Sum: of
/// a warp's share of a tile. Total: of tiles.
template <class Policy, class Tiles, class Sum, class Total>
struct RingStages {
    static constexpr int STAGES = Policy::STAGES, WARPS = Tiles::THREADS / 32;
    alignas(128) char space[STAGES][Tiles::SPACE];
    Sum sums[STAGES][WARPS];
    Total prefixes[STAGES];   ///< seed and all tiles before; none for tile 0 without a seed
    long long tiles[STAGES];  ///< number of the tile, or END
    unsigned epoch;
    CopyBarrier landed[STAGES], reduced[STAGES], prefixed[STAGES], emptied[STAGES];

    static constexpr long long END = -1;

    __device__ void init() {
        for (int s = 0; s < STAGES; ++s) {
            landed[s].init(Policy::ARRIVALS);
            reduced[s].init(WARPS * Policy::ARRIVALS);
            prefixed[s].init(1);
            emptied[s].init(WARPS + 1);  // warps that store, and the warp that reads the sums to publish
        }
    }
};

/// A stage of the ring, and the parity of its phase.
template <int STAGES>
struct RingPlace {
    int stage = 0;
    unsigned parity = 0;
    __device__ void advance() {
        if (++stage < STAGES) return;
        stage = 0;
        parity ^= 1;
    }
};
