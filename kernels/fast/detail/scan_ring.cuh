// Scan of long vectors at the speed of a copy: resident blocks, each with a ring of tiles in shared memory.
//
//     producer          ticket, bulk load | next     | next      | ..          1 warp
//     reduce            .        sums of threads, warps, tile: published | ..  8 warps
//     look-ahead        .        .         sum of all tiles before | ..        1 warp
//     scan              .        .         .    scan in place, bulk store | .. 8 warps
//                       stage 0 of the ring; stage 1 follows one step later, ..
//
// A tile's sum is published as soon as the tile is loaded; no sum depends on another one. The look-ahead warp
// adds up all of them, which costs one load of a status for each tile and block, in groups that begin at
// multiples of their size. The grouping depends only on n and the alignment of `in`, so float results are
// bitwise reproducible. The result is not needed until several stages later.
//
// Forward progress: a block waits only for sums of tiles of lower tickets, and running blocks take tickets in
// ascending order. Reduce warps, which publish, wait only for their own loads and ring; the ring advances
// once lower tiles are published; a deferred look-ahead waits for the block's own next load as well. By
// induction over tickets, the lowest unpublished tile is published if resident blocks keep running. No
// further block needs to start: any order and any number of resident blocks will do.
//
// Work: 2 n to reduce and scan, n / ITEMS 6 for the scan over threads, and less than 2 a tile and block for
// the look-ahead. Bytes: 2 n elements, and the statuses. launches 1. Nothing is initialised between calls.
// Source: after Merrill and Garland, NVR-2016-002, 2016 (tickets, statuses); the CUB look-ahead scan for
// sm_100 (NVIDIA/cccl pull request 6811: warp roles, aggregates only); the stages are those of CUTLASS
// pipelines.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/ring.cuh"
#include "kernels/fast/detail/ring_tiles.cuh"
#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/prefix.cuh"

namespace trial {

/// Shared memory of a block. Reduce warps write offsets and sums; scan warps read them.
template <class Policy, class Tiles, class T>
struct Ring : RingStages<Policy, Tiles, T, T> {
    T offsets[Policy::STAGES][Tiles::THREADS];  ///< a thread's exclusive prefix in its warp; unset for lane 0
};

/// The warp roles of a block. Whole warps call each role, once.
template <class Policy, Form FORM, class Tiles, class T, class Op>
struct ScanRoles : RingRoles<Policy, Tiles, ScanProblem<T>, Op, Ring<Policy, Tiles, T>> {
    using Roles = typename ScanRoles::RingRoles;
    using Roles::CHUNK, Roles::WARPS;
    using Roles::lane, Roles::op, Roles::problem, Roles::ring, Roles::tiles, Roles::warp;
    using typename Roles::Place;

    __device__ void reduce() {
        this->reduce_tiles([this](long long tile, Place at) { reduce(tile, at); },
                           [this](Place at) { return sum_of_all(at); });
    }
    __device__ void look_ahead() { Roles::look_ahead(problem.load_seed(), op); }
    __device__ void store() {
        this->store_tiles([this](long long tile, Place at) {
            scan(tile, at);
            fence_proxy_async();
            __syncwarp();
            store(tile, at);
        });
    }

   private:
    __device__ Chunk<Tiles, T> chunk(long long tile, Place at) {
        return {tiles, tile, ring.space[at.stage], 32 * warp + lane};
    }
    /// The place after this thread's last element, in its chunk.
    __device__ int end_of_chunk(long long tile) const {
        return tiles.end(tile) - (32 * warp + lane) * Tiles::ITEMS_PER_THREAD;
    }
    __device__ void reduce(long long tile, Place at) {
        const T* const first =
            reinterpret_cast<const T*>(ring.space[at.stage] + tiles.shift) + tiles.begin(tile);
        chunk(tile, at).fill_after_end(tiles.end(tile) - warp * CHUNK, *first);
        const int end = IS_TOTAL<Op> ? 0 : end_of_chunk(tile);
        const T own = chunk(tile, at).reduce(end, op);
        const T inclusive = scan_warp(own, IS_TOTAL<Op> || end > 0, op);
        ring.offsets[at.stage][32 * warp + lane] = shuffle_up(inclusive, 1);
        if (lane == last_lane(tile)) ring.sums[at.stage][warp] = inclusive;
    }
    /// The warp's last lane that has elements to combine.
    __device__ int last_lane(long long tile) const {
        if constexpr (IS_TOTAL<Op>)
            return 31;
        else
            return min((tiles.end(tile) - warp * CHUNK - 1) / Tiles::ITEMS_PER_THREAD, 31);
    }
    /// The sum of the tile.
    __device__ T sum_of_all(Place at) const {
        const auto sums = ring.sums_of_warps(at.stage);
        T total = sums.of[0];
#pragma unroll
        for (int w = 1; w < WARPS; ++w)
            if (IS_TOTAL<Op> || w * CHUNK < tiles.end(ring.tiles[at.stage])) total = op(total, sums.of[w]);
        return total;
    }
    /// The sum of the first `warps` warps.
    __device__ Prefix<T> sum_of_warps(int warps, Place at) {
        Prefix<T> total = {{}, false};
#pragma unroll
        for (int w = 0; w < WARPS; ++w) {  // unconditional loads: all in flight together
            const T sum = ring.sums[at.stage][w];
            if (w < warps) total = {combine(total, sum, op), true};
        }
        return total;
    }
    /// Scan a tile in place.
    __device__ void scan(long long tile, Place at) {
        ring.reduced[at.stage].wait(at.parity);
        const auto own = chunk(tile, at);
        const auto words = own.read();
        const int end = IS_TOTAL<Op> ? 0 : end_of_chunk(tile);
        if (!IS_TOTAL<Op> && end <= 0) return ring.prefixed[at.stage].wait(at.parity);
        Prefix<T> within = sum_of_warps(warp, at);
        if (lane > 0) within = {combine(within, ring.offsets[at.stage][32 * warp + lane], op), true};
        ring.prefixed[at.stage].wait(at.parity);
        const Prefix<T> prefix = {ring.prefixes[at.stage], tile > 0 || problem.has_seed()};
        own.template scan<FORM>(words, combine(prefix, within, op), end, op);
    }
    /// Store the warp's chunk.
    __device__ void store(long long tile, Place at) {
        const int begin = max(tiles.begin(tile), warp * CHUNK),
                  end = min(tiles.end(tile), (warp + 1) * CHUNK);
        if (begin >= end) return;
        copy_out_anywhere(problem.out + tiles.first(tile) + begin,
                          ring.space[at.stage] + tiles.shift + begin * sizeof(T),
                          (end - begin) * static_cast<int>(sizeof(T)));
    }
};

/// n >= 1. Grid: as many blocks as can be resident, at most one for each tile. Dynamic shared memory: Ring.
template <class Policy, Form FORM, class Tiles, class T, class Op>
__global__ void __launch_bounds__(ring_threads<Tiles>(), 1)
    scan_ring(const __grid_constant__ ScanProblem<T> problem,
              const __grid_constant__ VersionedWords workspace, Op op) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // bulk copies
    using Roles = ScanRoles<Policy, FORM, Tiles, T, Op>;
    extern __shared__ __align__(128) char memory[];
    auto& ring = *reinterpret_cast<typename Roles::Memory*>(memory);
    const Tiles tiles(problem.in, problem.n);
    play_roles(Roles{{ring, problem, tiles, workspace, op}});
#endif
}

}  // namespace trial
