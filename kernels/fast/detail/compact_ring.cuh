// The warp roles of the compaction of fast/select, beyond those of fast/detail/ring.
//
//     selected by a warp  |. 0 1 2|3 4 5 6|7 8 9 a|b c d .|      in 16-byte words of global memory
//                            head      body          tail
//     packed in its chunk |3 4 5 6|7 8 9 a|b c d .|. 0 1 2|      in shared memory
//
// The body has the same alignment modulo 16 in both memories, so it is one bulk copy. Head and tail are
// stored by lanes. The chunk has room for all three, even if every element is selected.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/fast/detail/compact_rows.cuh"
#include "kernels/fast/detail/look_ahead.cuh"
#include "kernels/fast/detail/ring.cuh"
#include "kernels/fast/detail/ring_tiles.cuh"
#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/operators.cuh"
#include "kernels/prefix.cuh"

namespace trial {

/// out[0 .. *num_selected - 1]: the selected elements of in[0 .. n-1].
template <class T>
struct CompactProblem {
    using Element = T;
    const T* in;
    T* out;
    long long* num_selected;
    long long n;
};

/// Adds counts: 32 bits for a tile, 64 bits for the vector.
struct AddCounts {
    template <class Count>
    __device__ Count operator()(Count left, Count right) const {
        return left + right;
    }
};

template <class Policy, class Tiles>
using CompactStages = RingStages<Policy, Tiles, unsigned, long long>;

/// The warp roles of a block. Whole warps call each role, once.
template <class Policy, class Tiles, class T, class Predicate>
struct CompactRoles : RingRoles<Policy, Tiles, CompactProblem<T>, Predicate, CompactStages<Policy, Tiles>> {
    using Roles = typename CompactRoles::RingRoles;
    using Roles::problem, Roles::ring, Roles::tiles;
    using Roles::WARPS, Roles::CHUNK, Roles::warp, Roles::lane;
    using Place = typename Roles::Place;

    __device__ void reduce() {
        this->reduce_tiles([this](long long tile, Place at) { count(tile, at); },
                           [this](Place at) { return sum_of_warps(WARPS, at); });
    }
    __device__ void look_ahead() { Roles::look_ahead(Prefix<long long>{0, true}, AddCounts{}); }
    __device__ void store() {
        this->store_tiles([this](long long tile, Place at) { pack(tile, at); });
    }

   private:
    __device__ void count(long long tile, Place at) {
        const SelectedRows<Tiles, T, typename Tiles::Word> rows(tiles, tile, ring.space[at.stage], warp);
        const unsigned inclusive = scan_warp(rows.count(this->op), true, Sum<unsigned>{});
        if (lane == 31) ring.sums[at.stage][warp] = inclusive;
    }
    /// Elements selected by the first `warps` warps.
    __device__ unsigned sum_of_warps(int warps, Place at) {
        const auto sums = ring.sums_of_warps(at.stage);
        unsigned total = 0;
#pragma unroll
        for (int w = 0; w < WARPS; ++w)
            if (w < warps) total += sums.of[w];
        return total;
    }
    /// Rank while the prefix is outstanding. All lanes have read the chunk before any lane writes to it.
    __device__ void pack(long long tile, Place at) {
        SelectedRows<Tiles, T, UnitOf<Tiles, T, Policy::UNIT_BYTES>> rows(tiles, tile, ring.space[at.stage],
                                                                          warp);
        const int selected = rows.rank(this->op);
        ring.reduced[at.stage].wait(at.parity);
        const unsigned warp_prefix = sum_of_warps(warp, at);
        ring.prefixed[at.stage].wait(at.parity);
        const long long first = ring.prefixes[at.stage] + warp_prefix;
        if (tile == tiles.count() - 1 && warp == WARPS - 1 && lane == 0)
            *problem.num_selected = first + selected;

        T* const to = problem.out + first;
        const int head = min(elements_to_next_word(to), selected);
        T* const chunk = reinterpret_cast<T*>(ring.space[at.stage] + tiles.shift) + warp * CHUNK;
        __syncwarp();
        rows.pack(chunk, head);
        fence_proxy_async();
        __syncwarp();
        if (lane < head) to[lane] = chunk[CHUNK - head + lane];
        if (selected > head)
            copy_out_anywhere(to + head, chunk, (selected - head) * static_cast<int>(sizeof(T)));
    }
    /// Elements from an address to the next multiple of 16 bytes; 0 if elements straddle 16-byte words.
    __device__ static int elements_to_next_word(const T* to) {
        const int bytes = static_cast<int>(-reinterpret_cast<std::uintptr_t>(to) & 15), size = sizeof(T);
        return 16 % size == 0 && bytes % size == 0 ? bytes / size : 0;
    }
};

/// n >= 1. Grid: as many blocks as can be resident, at most one for each tile. Dynamic shared memory:
/// CompactStages.
template <class Policy, class Tiles, class T, class Predicate>
__global__ void __launch_bounds__(ring_threads<Tiles>(), 1)
    compact_ring(const __grid_constant__ CompactProblem<T> problem,
                 const __grid_constant__ VersionedWords workspace, Predicate predicate) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // bulk copies
    using Roles = CompactRoles<Policy, Tiles, T, Predicate>;
    extern __shared__ __align__(128) char memory[];
    auto& ring = *reinterpret_cast<typename Roles::Memory*>(memory);
    const Tiles tiles(problem.in, problem.n);
    play_roles(Roles{{ring, problem, tiles, workspace, predicate}});
#endif
}

/// STAGES: of the ring, with BYTES bytes for each thread. LOADS_IN_FLIGHT: tiles that a block loads at a
/// time. UNIT_BYTES: that a lane ranks together; 4, 8 or 16. Share of the throughput of a copy of as many
/// bytes, NVIDIA H200, 2^28 elements of 4 bytes, half of them selected, from benchmarks not in this
/// repository: 7 stages of 112 bytes 0.96, 6 of 128 0.96, 5 of 160 0.93, 7 of 80 0.82; units of 16 and 8
/// bytes 0.96, of 4 0.81.
template <class T, int STAGES_ = 7, unsigned LOADS_IN_FLIGHT_ = 2, int BYTES = 112, int UNIT_BYTES_ = 16>
struct CompactRingPolicy {
    static constexpr int STAGES = STAGES_, ARRIVALS = 1, THREADS = 256, TILES_PER_LANE = 4, GROUPS = 3;
    static constexpr unsigned LOADS_IN_FLIGHT = LOADS_IN_FLIGHT_;
    static constexpr int UNIT_BYTES = UNIT_BYTES_;
    template <bool IN_WORDS>
    using Tiles = RingTiles<T, IN_WORDS, THREADS, BYTES, false>;  // row-wise accesses have no bank conflicts
    static constexpr bool HAS_WORD_TILES = 16 % sizeof(T) == 0;
    /// Whether elements may straddle 16-byte words, by size or address, and so need tiles of single elements.
    static constexpr bool HAS_ELEMENT_TILES = !HAS_WORD_TILES || alignof(T) < sizeof(T);
    static constexpr int SMALLEST_TILE = Tiles<!HAS_ELEMENT_TILES>::TILE;
    using Sums = VersionedArray<unsigned>;  ///< the published counts of tiles
    using Ahead = LookAhead<unsigned, TILES_PER_LANE, GROUPS, true, long long>;
};

/// For GPUs whose blocks have 99 KB of shared memory, as on sm_120. Not measured on one.
template <class T>
using SmallCompactRingPolicy = CompactRingPolicy<T, 5, 2, 48>;

}  // namespace trial
