// Policies of the scans of fast/scan by element size, and the measurements behind the choices.
//
// Stages, loads in flight and odd words follow experiments/scan_ideas on an NVIDIA H200. The rest follows
// benchmarks that are only logged, see results/nvidia-h200/log.csv: tiles of 28 KB reach 0.97 of the
// throughput of a copy of 2^28 ints, of 20 KB 0.97, of 12 KB 0.88. One wave, cold, in microseconds: for 2^18
// ints, 256 threads with 2 words 6.2, 4: 6.2, 8: 6.5; 512 threads with 1 word 6.6, 2: 6.2, 4: 6.7; for 2^20
// ints, with 8 words, 256 threads 7.4, 512 threads 8.2.
#pragma once
#include <type_traits>

#include "kernels/fast/detail/look_ahead.cuh"
#include "kernels/fast/detail/scan_one_wave.cuh"
#include "kernels/fast/detail/scan_ring.cuh"

namespace trial {

/// The ring: as many stages as shared memory holds, with BYTES bytes for each thread.
template <class T, int STAGES_ = 7, int BYTES_ = 112>
struct RingPolicy {
    static constexpr int STAGES = STAGES_, ARRIVALS = 1;
    static constexpr unsigned LOADS_IN_FLIGHT = 2;                 ///< tiles that a block loads at a time
    static constexpr int TILES_PER_LANE = sizeof(T) <= 4 ? 4 : 1;  ///< of the look-ahead, in a group
    static constexpr int GROUPS = sizeof(T) <= 4 || sizeof(T) > 8 ? 3 : 6;
    static constexpr int THREADS = 256, BYTES = BYTES_;  ///< to reduce, and as many to scan
    template <bool IN_WORDS>
    using Tiles = RingTiles<T, IN_WORDS, THREADS, BYTES>;
    static constexpr bool HAS_WORD_TILES = 16 % sizeof(T) == 0;
    /// Whether elements may straddle 16-byte words, by size or address, and so need tiles of single elements.
    static constexpr bool HAS_ELEMENT_TILES = !HAS_WORD_TILES || alignof(T) < sizeof(T);
    static constexpr int SMALLEST_TILE = Tiles<!HAS_ELEMENT_TILES>::TILE;
    using Sums = VersionedArray<T>;                      ///< the published sums of tiles
    using Ahead = LookAhead<T, TILES_PER_LANE, GROUPS>;  ///< finds the exclusive prefix of a tile
};

/// For GPUs whose blocks have 99 KB of shared memory, as on sm_120. Not measured on one.
template <class T>
using SmallRingPolicy = RingPolicy<T, 5, 48>;

/// One wave: on each multiprocessor, BLOCKS resident blocks of THREADS threads with WORDS words each.
template <int WORDS_, int BLOCKS_>
struct WavePolicy {
    static constexpr int WORDS = WORDS_, BLOCKS = BLOCKS_, THREADS = 256;
    static constexpr unsigned POLLS_BEFORE_RECOMPUTE = 256;  ///< about 0.2 ms
    template <class T>
    using Tiles = WaveTiles<T, WORDS, THREADS>;
    __device__ static int tile(int block, int) { return block; }
};

/// From short to long vectors: the first policy whose blocks hold the vector is used. Large holds as many
/// words as registers allow without spilling (nvcc 13.0).
template <class T>
struct WavePolicies {
    using Small = WavePolicy<2, 1>;
    using Medium = WavePolicy<4, 1>;
    using Large = std::conditional_t<
        sizeof(T) == 4, WavePolicy<8, 4>,
        std::conditional_t<16 % sizeof(T) == 0 && sizeof(T) <= 8, WavePolicy<6, 4>, WavePolicy<8, 1>>>;
};

}  // namespace trial
