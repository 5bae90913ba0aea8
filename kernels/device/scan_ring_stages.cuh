// The ring of stages in shared memory by which the warps of a block of device/scan_ring hand on tiles.
//
//     producer --landed--> reduce --reduced--> scan --emptied--> producer
//                  \-----> look-ahead --prefixed--/
//
// One barrier a stage for each arrow. The warp that publishes a tile's sum empties the stage as well, as it
// reads the sums of the warps after the others may have gone on. What orders the accesses:
//
//     what            written by    after      read by              after      written anew after
//     space           copy engine   emptied    reduce, scan         landed     reduced: by scan, in place
//     offsets, sums   reduce        landed     scan, publisher      reduced    emptied, landed
//     prefixes        look-ahead    landed     scan                 prefixed   emptied, landed
//     tiles           producer      emptied    all others           landed     emptied
#pragma once
#include <cuda_runtime.h>

#include "kernels/device/bulk_copy.cuh"

/// Shared memory of a block. Barriers of stage s end phase p when stage s is used for the p-th time.
template <class Policy, class Tiles, class T>
struct Ring {
    static constexpr int STAGES = Policy::STAGES, WARPS = Tiles::THREADS / 32;
    alignas(128) char space[STAGES][Tiles::SPACE];
    T offsets[STAGES][Tiles::THREADS];  ///< all before a thread's share in its warp; none for lane 0
    T sums[STAGES][WARPS];
    T prefixes[STAGES];       ///< seed and all tiles before; none for tile 0 without a seed
    long long tiles[STAGES];  ///< number of the tile, or END
    unsigned epoch;
    CopyBarrier landed[STAGES], reduced[STAGES], prefixed[STAGES], emptied[STAGES];

    static constexpr long long END = -1;

    __device__ void init() {
        for (int s = 0; s < STAGES; ++s) {
            landed[s].init(1);
            reduced[s].init(WARPS);
            prefixed[s].init(1);
            emptied[s].init(WARPS + 1);  // scan warps, and the warp that reads the sums to publish
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
