// The roles of the warps of a block of fast/compact: fast/detail/ring_roles, and what a compaction does
// with a tile.
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

#include "kernels/fast/detail/compact_ring_rows.cuh"
#include "kernels/fast/detail/ring_roles.cuh"
#include "kernels/fast/detail/ring_tiles.cuh"
#include "kernels/operators.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"

/// out[0 .. *number - 1] are those of in[0 .. n-1] that are wanted.
template <class T>
struct CompactProblem {
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
struct CompactRoles : RingRoles<Policy, Tiles, T, CompactStages<Policy, Tiles>> {
    using Memory = CompactStages<Policy, Tiles>;
    using Roles = RingRoles<Policy, Tiles, T, Memory>;
    using Roles::lane, Roles::ring, Roles::SHARE, Roles::tiles, Roles::warp, Roles::WARPS;
    using typename Roles::Place;

    const CompactProblem<T>& problem;
    Predicate keep;

    __device__ CompactRoles(Memory& memory, const CompactProblem<T>& problem_, const Tiles& tiles_,
                            const ScanMemory& kept, Predicate keep_)
        : Roles{memory, problem_.in, tiles_, kept}, problem(problem_), keep(keep_) {}

    __device__ void count() {
        this->reduce_tiles([this](long long tile, Place at) { count(tile, at); },
                           [this](Place at) { return before_warp(WARPS, at); });
    }
    __device__ void look_ahead() { Roles::look_ahead(Prefix<long long>{0, true}, AddCounts{}); }
    __device__ void pack() {
        this->store_tiles([this](long long tile, Place at) { pack(tile, at); });
    }

   private:
    __device__ void count(long long tile, Place at) {
        const KeptRows<Tiles, T, typename Tiles::Word> rows(tiles, tile, ring.space[at.stage], warp);
        const unsigned with = warp_scan(rows.count(keep), true, Sum<unsigned>{});
        if (lane == 31) ring.sums[at.stage][warp] = with;
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
        KeptRows<Tiles, T, UnitOf<Tiles, T, Policy::UNIT_BYTES>> rows(tiles, tile, ring.space[at.stage],
                                                                      warp);
        const int kept = rows.rank(keep);
        ring.reduced[at.stage].wait(at.parity);
        const unsigned before = before_warp(warp, at);
        ring.prefixed[at.stage].wait(at.parity);
        const long long first = ring.prefixes[at.stage] + before;
        if (tile == tiles.count() - 1 && warp == WARPS - 1 && lane == 0) *problem.number = first + kept;

        T* const to = problem.out + first;
        const int late = min(elements_to_next_word(to), kept);
        T* const share = reinterpret_cast<T*>(ring.space[at.stage] + tiles.shift) + warp * SHARE;
        __syncwarp();
        rows.pack(share, late);
        show_to_bulk_copies();
        __syncwarp();
        if (lane < late) to[lane] = share[SHARE - late + lane];
        if (kept > late) copy_out_anywhere(to + late, share, (kept - late) * static_cast<int>(sizeof(T)));
    }
    /// From an address to the next multiple of 16; 0 if words cut elements in two.
    __device__ static int elements_to_next_word(const T* to) {
        const int bytes = static_cast<int>(-reinterpret_cast<std::uintptr_t>(to) & 15), size = sizeof(T);
        return 16 % size == 0 && bytes % size == 0 ? bytes / size : 0;
    }
};
