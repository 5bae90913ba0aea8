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

#include "kernels/fast/detail/epoch_status.cuh"
#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/fast/detail/scan_ring_roles.cuh"
#include "kernels/prefix.cuh"

/// n >= 1. Grid: as many blocks as can be resident, or tiles, if they are fewer. Dynamic shared memory: a
/// Ring.
template <class Policy, Form FORM, class Tiles, class T, class Op>
__global__ void __launch_bounds__(ring_threads<Tiles>(), 1)
    scan_ring(const __grid_constant__ ScanProblem<T> problem, const __grid_constant__ ScanMemory kept,
              Op op) {
#if __CUDA_ARCH__ >= 900  // bulk copies
    using Roles = ScanRoles<Policy, FORM, Tiles, T, Op>;
    extern __shared__ __align__(128) char memory[];
    auto& ring = *reinterpret_cast<typename Roles::Memory*>(memory);
    const Tiles tiles(problem.in, problem.n);
    const int warp = threadIdx.x / 32;

    Roles roles(ring, problem, tiles, kept, op);
    unsigned long long ticket = 0;
    if (warp == 0) roles.prefetch();
    if (threadIdx.x == 0) {
        ticket = kept.take_ticket();
        ring.init();
        show_barriers();
    }
    __syncthreads();
    if (warp == 0)
        roles.produce(ticket);
    else if (warp == 1)
        roles.look_ahead();
    else if (warp < 2 + Roles::WARPS)
        roles.reduce();
    else
        roles.scan();
#endif
}
