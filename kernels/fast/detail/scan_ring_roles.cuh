// The roles of the warps of a block of fast/detail/scan_ring: fast/detail/ring_roles, and what a scan does with a tile.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/ring_roles.cuh"
#include "kernels/fast/detail/ring_tiles.cuh"
#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"

/// Shared memory of a block. Reduce warps write offsets, scan warps read them, as they do with sums.
template <class Policy, class Tiles, class T>
struct Ring : RingStages<Policy, Tiles, T, T> {
    T offsets[Policy::STAGES][Tiles::THREADS];  ///< all before a thread's share in its warp; none for lane 0
};

/// A block's roles. Each is played by whole warps, which call it once.
template <class Policy, Form FORM, class Tiles, class T, class Op>
struct ScanRoles : RingRoles<Policy, Tiles, T, Ring<Policy, Tiles, T>> {
    using Memory = Ring<Policy, Tiles, T>;
    using Roles = RingRoles<Policy, Tiles, T, Memory>;
    using Roles::lane, Roles::ring, Roles::SHARE, Roles::tiles, Roles::warp, Roles::WARPS;
    using typename Roles::Place;

    const ScanProblem<T>& problem;
    Op op;

    __device__ ScanRoles(Memory& memory, const ScanProblem<T>& problem_, const Tiles& tiles_,
                         const ScanMemory& kept, Op op_)
        : Roles{memory, problem_.in, tiles_, kept}, problem(problem_), op(op_) {}

    __device__ void reduce() {
        this->reduce_tiles([this](long long tile, Place at) { reduce(tile, at); },
                           [this](Place at) { return before_warp(WARPS, at).value; });
    }
    __device__ void look_ahead() { Roles::look_ahead(problem.first(), op); }
    __device__ void scan() {
        this->store_tiles([this](long long tile, Place at) {
            scan(tile, at);
            show_to_bulk_copies();
            __syncwarp();
            store(tile, at);
        });
    }

   private:
    __device__ Share<Tiles, T> share(long long tile, Place at) {
        return {tiles, tile, ring.space[at.stage], 32 * warp + lane};
    }
    __device__ void reduce(long long tile, Place at) {
        const T* const first =
            reinterpret_cast<const T*>(ring.space[at.stage] + tiles.shift) + tiles.begin(tile);
        share(tile, at).fill_behind(tiles.end(tile) - warp * SHARE, *first);
        const T own = share(tile, at).reduce(op);
        const T with = warp_scan(own, true, op);
        ring.offsets[at.stage][32 * warp + lane] = shuffle_up(with, 1);
        if (lane == 31) ring.sums[at.stage][warp] = with;
    }
    /// The sums of the first `warps` warps.
    __device__ Prefix<T> before_warp(int warps, Place at) {
        Prefix<T> before = {{}, false};
#pragma unroll
        for (int w = 0; w < WARPS; ++w) {  // all are read, so that none waits for another one
            const T sum = ring.sums[at.stage][w];
            if (w < warps) before = {append(before, sum, op), true};
        }
        return before;
    }
    /// Scan a tile in place.
    __device__ void scan(long long tile, Place at) {
        ring.reduced[at.stage].wait(at.parity);
        const auto own = share(tile, at);
        const auto words = own.read();
        Prefix<T> within = before_warp(warp, at);
        if (lane > 0) within = {append(within, ring.offsets[at.stage][32 * warp + lane], op), true};
        ring.prefixed[at.stage].wait(at.parity);
        const Prefix<T> prefix = {ring.prefixes[at.stage], tile > 0 || problem.has_seed()};
        own.template scan<FORM>(words, join(prefix, within, op), op);
    }
    /// Store what the warp scanned.
    __device__ void store(long long tile, Place at) {
        const int begin = max(tiles.begin(tile), warp * SHARE),
                  end = min(tiles.end(tile), (warp + 1) * SHARE);
        if (begin >= end) return;
        copy_out_anywhere(problem.out + tiles.first(tile) + begin,
                          ring.space[at.stage] + tiles.shift + begin * sizeof(T),
                          (end - begin) * static_cast<int>(sizeof(T)));
    }
};
