// How the scans of fast/scan are cut, by the size of an element, and what was measured to choose so.
//
// Stages, loads and odd words were chosen by what experiments/scan_ideas measures on an NVIDIA H200. The rest
// by benchmarks that are not kept, see results/nvidia-h200/log.csv: tiles of 28 KB reach 0.97 of the
// throughput of a copy of 2^28 ints, of 20 KB 0.97, of 12 KB 0.88. One wave, cold, in microseconds: of 2^18
// ints 256 threads with 2 words 6.2, 4: 6.2, 8: 6.5; 512 threads with 1 word 6.6, 2: 6.2, 4: 6.7; of 2^20,
// with 8 words, 256 threads 7.4, 512 threads 8.2.
#pragma once
#include <type_traits>

#include "kernels/fast/detail/look_ahead.cuh"
#include "kernels/fast/detail/scan_one_wave.cuh"
#include "kernels/fast/detail/scan_ring.cuh"

/// The ring: as many stages as shared memory holds.
template <class T>
struct RingPolicy {
    static constexpr int STAGES = 7, ARRIVALS = 1;
    static constexpr unsigned LOADS_IN_FLIGHT = 2;               ///< tiles on their way to a block at a time
    static constexpr int TILES_A_LANE = sizeof(T) <= 4 ? 4 : 1;  ///< of the look-ahead, in a group
    static constexpr int GROUPS = sizeof(T) <= 4 || sizeof(T) > 8 ? 3 : 6;
    static constexpr int THREADS = 256, BYTES = 112;  ///< that reduce, and as many that scan; of a thread
    template <bool IN_WORDS>
    using Tiles = RingTiles<T, IN_WORDS, THREADS, BYTES>;
    static constexpr bool HAS_WORDS = 16 % sizeof(T) == 0;
    /// Whether an element may lie so that words of 16 bytes cut elements in two.
    static constexpr bool HAS_OTHERS = !HAS_WORDS || alignof(T) < sizeof(T);
    static constexpr int SMALLEST_TILE = Tiles<!HAS_OTHERS>::TILE;
    using Sums = VersionedArray<T>;                    ///< of tiles, as blocks publish them
    using Ahead = LookAhead<T, TILES_A_LANE, GROUPS>;  ///< by which a block learns what comes before a tile
};

/// One wave: BLOCKS blocks of THREADS threads with WORDS words each on a multiprocessor.
template <int WORDS_, int BLOCKS_>
struct WavePolicy {
    static constexpr int WORDS = WORDS_, BLOCKS = BLOCKS_, THREADS = 256;
    static constexpr int POLLS_BEFORE_RECOMPUTE = 256;  ///< polls before a warp helps itself, about 0.2 ms
    template <class T>
    using Tiles = WaveTiles<T, WORDS, THREADS>;
    __device__ static int tile(int block, int) { return block; }
};

/// From short vectors to long ones: the first whose blocks hold the vector is taken. Of the last one
/// registers hold as many words as they do without spilling sums (nvcc 13.0).
template <class T>
struct WavePolicies {
    using Small = WavePolicy<2, 1>;
    using Medium = WavePolicy<4, 1>;
    using Large = std::conditional_t<
        sizeof(T) == 4, WavePolicy<8, 4>,
        std::conditional_t<16 % sizeof(T) == 0 && sizeof(T) <= 8, WavePolicy<6, 4>, WavePolicy<8, 1>>>;
};
