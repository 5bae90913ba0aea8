// Scan of long vectors at the speed of a copy: resident blocks, each with a ring of tiles in shared memory.
//
//     producer          ticket, bulk load | next     | next      | ..          1 warp
//     reduce            .        sums of threads, warps, tile: published | ..  8 warps
//     look-ahead        .        .         sum of all tiles before | ..        1 warp
//     scan              .        .         .    scan in place, bulk store | .. 8 warps
//                       stage 0 of the ring, stage 1 follows one step behind, ..
//
// A tile's sum is published as soon as the tile has landed; no sum waits for another one. The look-ahead warp
// adds up all of them, which costs a load of a status a tile and block, in groups that begin at multiples of
// their size: what is added to what depends on n and the alignment of `in` only, so float results have the
// same bits at every call. Scan warps have several stages of time until they need it.
//
// Forward progress: a block waits for sums of tiles of lower tickets only, and tickets are taken by blocks
// that run, in ascending order; reduce warps, which publish, wait for their own loads and ring only, and the
// ring turns once lower tiles are published; the look-ahead, which is patient, waits for the block's own next
// load besides. By induction over tickets the lowest unpublished tile is
// published if resident blocks keep running. No other block needs to begin: any order, any number of blocks
// at a time will do.
//
// Work: 2 n for reducing and scanning, n / ITEMS 6 for the scan of threads, and less than 2 a tile and block
// for looking ahead. Bytes: 2 n elements, and the statuses. launches 1. Nothing is initialised between calls.
// Source: after Merrill and Garland, NVR-2016-002, 2016 (tickets, statuses); the CUB look-ahead scan for
// sm_100 (NVIDIA/cccl pull request 6811: warps with roles, aggregates only); the stages are those of CUTLASS
// pipelines.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/ring.cuh"
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
struct ScanRoles : RingRoles<Policy, Tiles, ScanProblem<T>, Op, Ring<Policy, Tiles, T>> {
    using Roles = typename ScanRoles::RingRoles;
    using Roles::CHUNK, Roles::WARPS;
    using Roles::lane, Roles::op, Roles::problem, Roles::ring, Roles::tiles, Roles::warp;
    using typename Roles::Place;

    __device__ void reduce() {
        this->reduce_tiles([this](long long tile, Place at) { reduce(tile, at); },
                           [this](Place at) { return before_warp(WARPS, at).value; });
    }
    __device__ void look_ahead() { Roles::look_ahead(problem.initial(), op); }
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
    __device__ void reduce(long long tile, Place at) {
        const T* const first =
            reinterpret_cast<const T*>(ring.space[at.stage] + tiles.shift) + tiles.begin(tile);
        chunk(tile, at).fill_behind(tiles.end(tile) - warp * CHUNK, *first);
        const T own = chunk(tile, at).reduce(op);
        const T inclusive = warp_scan(own, true, op);
        ring.offsets[at.stage][32 * warp + lane] = shuffle_up(inclusive, 1);
        if (lane == 31) ring.sums[at.stage][warp] = inclusive;
    }
    /// The sums of the first `warps` warps.
    __device__ Prefix<T> before_warp(int warps, Place at) {
        Prefix<T> before = {{}, false};
#pragma unroll
        for (int w = 0; w < WARPS; ++w) {  // all are read, so that none waits for another one
            const T sum = ring.sums[at.stage][w];
            if (w < warps) before = {combine(before, sum, op), true};
        }
        return before;
    }
    /// Scan a tile in place.
    __device__ void scan(long long tile, Place at) {
        ring.reduced[at.stage].wait(at.parity);
        const auto own = chunk(tile, at);
        const auto words = own.read();
        Prefix<T> within = before_warp(warp, at);
        if (lane > 0) within = {combine(within, ring.offsets[at.stage][32 * warp + lane], op), true};
        ring.prefixed[at.stage].wait(at.parity);
        const Prefix<T> prefix = {ring.prefixes[at.stage], tile > 0 || problem.has_seed()};
        own.template scan<FORM>(words, combine(prefix, within, op), op);
    }
    /// Store what the warp scanned.
    __device__ void store(long long tile, Place at) {
        const int begin = max(tiles.begin(tile), warp * CHUNK),
                  end = min(tiles.end(tile), (warp + 1) * CHUNK);
        if (begin >= end) return;
        copy_out_anywhere(problem.out + tiles.first(tile) + begin,
                          ring.space[at.stage] + tiles.shift + begin * sizeof(T),
                          (end - begin) * static_cast<int>(sizeof(T)));
    }
};

/// n >= 1. Grid: as many blocks as can be resident, or tiles, if they are fewer. Dynamic shared memory: a
/// Ring.
template <class Policy, Form FORM, class Tiles, class T, class Op>
__global__ void __launch_bounds__(ring_threads<Tiles>(), 1)
    scan_ring(const __grid_constant__ ScanProblem<T> problem,
              const __grid_constant__ VersionedWords workspace, Op op) {
#if __CUDA_ARCH__ >= 900  // bulk copies
    using Roles = ScanRoles<Policy, FORM, Tiles, T, Op>;
    extern __shared__ __align__(128) char memory[];
    auto& ring = *reinterpret_cast<typename Roles::Memory*>(memory);
    const Tiles tiles(problem.in, problem.n);
    play_roles(Roles{{ring, problem, tiles, workspace, op}});
#endif
}
