// The compaction of fast/compact: the roles of the warps of a block, as far as fast/detail/ring does not have them.
//
//     a warp's kept    |. 0 1 2|3 4 5 6|7 8 9 a|b c d .|      in words of 16 bytes of global memory
//                         late      body          tail
//     its share        |3 4 5 6|7 8 9 a|b c d .|. 0 1 2|      in shared memory
//
// So the body lies in both memories alike modulo 16: it is one bulk copy. Late ones and the tail are stored
// by lanes. All of it has room in the share, even if everything is kept.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/fast/detail/compact_rows.cuh"
#include "kernels/fast/detail/look_ahead.cuh"
#include "kernels/fast/detail/ring.cuh"
#include "kernels/fast/detail/ring_tiles.cuh"
#include "kernels/operators.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"

/// out[0 .. *number - 1] are those of in[0 .. n-1] that are wanted.
template <class T>
struct CompactProblem {
    using Element = T;
    const T* in;
    T* out;
    long long* number;
    long long n;
};

/// Adds counts: those of tiles have 32 bits, those of vectors 64.
struct AddCounts {
    template <class Count>
    __device__ Count operator()(Count left, Count right) const {
        return left + right;
    }
};

template <class Policy, class Tiles>
using CompactStages = RingStages<Policy, Tiles, unsigned, long long>;

/// A block's roles. Each is played by whole warps, which call it once.
template <class Policy, class Tiles, class T, class Predicate>
struct CompactRoles : RingRoles<Policy, Tiles, CompactProblem<T>, Predicate, CompactStages<Policy, Tiles>> {
    using Roles = typename CompactRoles::RingRoles;
    using Roles::problem, Roles::ring, Roles::tiles;
    using Roles::WARPS, Roles::CHUNK, Roles::warp, Roles::lane;
    using Place = typename Roles::Place;

    __device__ void reduce() {
        this->reduce_tiles([this](long long tile, Place at) { count(tile, at); },
                           [this](Place at) { return before_warp(WARPS, at); });
    }
    __device__ void look_ahead() { Roles::look_ahead(Prefix<long long>{0, true}, AddCounts{}); }
    __device__ void store() {
        this->store_tiles([this](long long tile, Place at) { pack(tile, at); });
    }

   private:
    __device__ void count(long long tile, Place at) {
        const SelectedRows<Tiles, T, typename Tiles::Word> rows(tiles, tile, ring.space[at.stage], warp);
        const unsigned inclusive = warp_scan(rows.count(this->op), true, Sum<unsigned>{});
        if (lane == 31) ring.sums[at.stage][warp] = inclusive;
    }
    /// What the first `warps` warps keep.
    __device__ unsigned before_warp(int warps, Place at) {
        unsigned before = 0;
#pragma unroll
        for (int w = 0; w < WARPS; ++w) {  // all are read, so that none waits for another one
            const unsigned sum = ring.sums[at.stage][w];
            if (w < warps) before += sum;
        }
        return before;
    }
    /// Rank while the prefix is not there yet. All lanes have read the share when the first one writes to it.
    __device__ void pack(long long tile, Place at) {
        SelectedRows<Tiles, T, UnitOf<Tiles, T, Policy::UNIT_BYTES>> rows(tiles, tile, ring.space[at.stage],
                                                                          warp);
        const int kept = rows.rank(this->op);
        ring.reduced[at.stage].wait(at.parity);
        const unsigned before = before_warp(warp, at);
        ring.prefixed[at.stage].wait(at.parity);
        const long long first = ring.prefixes[at.stage] + before;
        if (tile == tiles.count() - 1 && warp == WARPS - 1 && lane == 0) *problem.number = first + kept;

        T* const to = problem.out + first;
        const int late = min(elements_to_next_word(to), kept);
        T* const chunk = reinterpret_cast<T*>(ring.space[at.stage] + tiles.shift) + warp * CHUNK;
        __syncwarp();
        rows.pack(chunk, late);
        fence_proxy_async();
        __syncwarp();
        if (lane < late) to[lane] = chunk[CHUNK - late + lane];
        if (kept > late) copy_out_anywhere(to + late, chunk, (kept - late) * static_cast<int>(sizeof(T)));
    }
    /// From an address to the next multiple of 16; 0 if words cut elements in two.
    __device__ static int elements_to_next_word(const T* to) {
        const int bytes = static_cast<int>(-reinterpret_cast<std::uintptr_t>(to) & 15), size = sizeof(T);
        return 16 % size == 0 && bytes % size == 0 ? bytes / size : 0;
    }
};

/// n >= 1. Grid: as many blocks as can be resident, or tiles, if they are fewer. Dynamic shared memory:
/// CompactStages.
template <class Policy, class Tiles, class T, class Predicate>
__global__ void __launch_bounds__(ring_threads<Tiles>(), 1)
    compact_ring(const __grid_constant__ CompactProblem<T> problem,
                 const __grid_constant__ VersionedWords workspace, Predicate keep) {
#if __CUDA_ARCH__ >= 900  // bulk copies
    using Roles = CompactRoles<Policy, Tiles, T, Predicate>;
    extern __shared__ __align__(128) char memory[];
    auto& ring = *reinterpret_cast<typename Roles::Memory*>(memory);
    const Tiles tiles(problem.in, problem.n);
    play_roles(Roles{{ring, problem, tiles, workspace, keep}});
#endif
}

/// How the ring is cut. STAGES: of BYTES bytes a thread. LOADS: tiles on their way to a block at a time.
/// UNIT_BYTES: that a lane ranks at a time; 4, 8 or 16. By benchmarks that are not kept, on an NVIDIA H200,
/// 2^28 elements of 4 bytes of which half is kept, of the throughput of a copy of as many bytes: 7 stages of
/// 112 bytes 0.96, 6 of 128 0.96, 5 of 160 0.93, 7 of 80 0.82; units of 16 and 8 bytes 0.96, of 4 0.81.
template <class T, int STAGES_ = 7, unsigned LOADS_ = 2, int BYTES = 112, int UNIT_BYTES_ = 16>
struct CompactRingPolicy {
    static constexpr int STAGES = STAGES_, ARRIVALS = 1, THREADS = 256, TILES_A_LANE = 4, GROUPS = 3;
    static constexpr unsigned LOADS_IN_FLIGHT = LOADS_;
    static constexpr int UNIT_BYTES = UNIT_BYTES_;
    template <bool IN_WORDS>
    using Tiles = RingTiles<T, IN_WORDS, THREADS, BYTES, false>;  // rows have no conflicts to avoid
    static constexpr bool HAS_WORDS = 16 % sizeof(T) == 0;
    /// Whether an element may lie so that words of 16 bytes cut elements in two.
    static constexpr bool HAS_OTHERS = !HAS_WORDS || alignof(T) < sizeof(T);
    static constexpr int SMALLEST_TILE = Tiles<!HAS_OTHERS>::TILE;
    using Sums = VersionedArray<unsigned>;  ///< by which blocks tell one another what tiles keep
    using Ahead = LookAhead<unsigned, TILES_A_LANE, GROUPS, true, long long>;
};
