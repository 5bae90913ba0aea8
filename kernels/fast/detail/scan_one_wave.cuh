// Scan of short vectors: one tile a block, all blocks side by side, the tile in registers all the time.
//
//     block          reads its tile, adds it up, publishes the sum
//                    each warp reads the sums of 32 tiles before it:      | 32 | 32 | .. our tile
//                    all of that added up, the tile is scanned and stored
//
// Forward progress: none is assumed. A warp that has waited long for a sum adds the tile up itself, in the
// same order as its block would, so the bits are the same; blocks may run in any order, and one at a time.
// That is right in place, too: a block publishes its sum, and only then overwrites its tile; so who has read
// a tile and then finds its sum unpublished has read the elements.
//
// Work: n for the sums, n for the scan, and for each word 2, and for each thread 6 more. Bytes: 2 n elements,
// and a status a tile, read by all tiles behind it; none for a tile alone. launches 1. Nothing is initialised
// between calls; the order of operations depends on n only. Source: ours, after Merrill and Garland,
// NVR-2016-002, 2016.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/epoch_status.cuh"
#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/fast/detail/sum_of_share.cuh"
#include "kernels/fast/detail/wave_tiles.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"

/// The sum of a full tile, added up by one warp in the order in which a block does.
template <class Tiles, class T, class Op>
__device__ T sum_of_tile(const T* in, long long tile, Op op) {
    T mine = {};
#pragma unroll 1
    for (int warp = 0; warp < Tiles::WARPS; ++warp) {
        const T sum = sum_of_share<Tiles>(in, tile, warp, op);
        if (warp == static_cast<int>(threadIdx.x % 32)) mine = sum;
    }
    mine = warp_scan<Tiles::WARPS>(mine, threadIdx.x % 32 < Tiles::WARPS, op);
    return shuffle_from(mine, Tiles::WARPS - 1);
}

/// The sums of tiles `first` .. `end` - 1 added up, 32 of them at most and 1 at least, by one warp. One that
/// is not there after `patience` polls is added up here.
template <class Tiles, class T, class Op>
__device__ T sum_of_tiles(const T* in, const EpochStatus<T>& status, int first, int end, int patience,
                          Op op) {
    const int mine = first + static_cast<int>(threadIdx.x % 32);
    T value = {};
    bool missing = mine < end;
    for (int polls = 0;; ++polls) {
        if (missing) missing = !status.read(mine, value);
        const unsigned waiting = __ballot_sync(ALL_LANES, missing);
        if (waiting == 0) break;
        if (polls < patience) continue;
        const int tile = first + __ffs(static_cast<int>(waiting)) - 1;
        const T sum = sum_of_tile<Tiles>(in, tile, op);
        __threadfence();  // the elements were read before the status is read again
        __syncwarp();
        if (mine == tile && !status.read(mine, value)) value = sum;
        if (mine == tile) missing = false;
    }
    value = warp_scan(value, mine < end, op);
    return shuffle_from(value, min(end - first, 32) - 1);
}

/// A vector that is not a part of another one: what comes before it is the problem's seed.
struct Alone {
    static constexpr bool IS_PART = false;
};

/// n >= 1. Grid: tiles(n, TILE) blocks, Tiles::MOST at most; Policy::tile(block, blocks) is a block's tile.
/// neighbours: Alone, or, as multi_gpu/part_totals, the parts before and behind: told the sum of this one, and
/// asked for the seed.
template <class Policy, Form FORM, class Tiles, class T, class Op, class Neighbours = Alone>
__global__ void __launch_bounds__(Tiles::THREADS, Policy::BLOCKS)
    scan_one_wave(const __grid_constant__ ScanProblem<T> problem, const __grid_constant__ ScanMemory kept,
                  Op op, const __grid_constant__ Neighbours neighbours) {
    constexpr int WARPS = Tiles::WARPS;
    __shared__ T sums[WARPS], groups[Tiles::GROUPS];
    __shared__ typename WaveShare<Tiles, T>::Offsets offsets[WARPS];
    __shared__ unsigned epoch;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int tile = Policy::tile(blockIdx.x, gridDim.x);

    const bool has_others = gridDim.x > 1;
    unsigned long long ticket = 0;
    if (threadIdx.x == 0 && has_others) ticket = kept.take_ticket();
    for (int before = threadIdx.x; before < tile; before += Tiles::THREADS)
        EpochStatus<T>::prefetch(kept, before);
    const WavePlace<Tiles, T> place(tile, warp, problem.n);
    const WaveShare<Tiles, T> share(problem.in, place, offsets[warp], op);
    if (lane == 0) sums[warp] = share.sum();
    if (threadIdx.x == 0 && has_others) {
        epoch = static_cast<unsigned>(ticket >> 32) + 1;
        const bool last = static_cast<unsigned>(ticket) == gridDim.x - 1;
        if (last)
            kept.next_epoch(epoch, gridDim.x * EpochStatus<T>::NARROW, gridDim.x * EpochStatus<T>::WIDE);
    }
    __syncthreads();

    const EpochStatus<T> status(kept, epoch);
    const T with = warp_scan<WARPS>(sums[lane % WARPS], lane < WARPS, op);
    if (threadIdx.x == 32 * WARPS - 32 + WARPS - 1 && tile + 1 < static_cast<int>(gridDim.x)) {
        status.write(tile, with);
        if (problem.in == problem.out) __threadfence();  // before the tile is overwritten
    }
    const T before_warp = shuffle_from(with, max(warp - 1, 0));
    for (int group = warp; 32 * group < tile; group += WARPS) {
        const T sum = sum_of_tiles<Tiles>(problem.in, status, 32 * group, tile, Policy::PATIENCE, op);
        if (lane == 0) groups[group] = sum;
    }
    __syncthreads();

    Prefix<T> before = problem.first();
    if constexpr (Neighbours::IS_PART) {
        __shared__ Prefix<T> seed;
        __shared__ T sum_of_part;
        const bool last = tile + 1 == static_cast<int>(gridDim.x);
        if (last) {
            Prefix<T> within = {{}, false};
            for (int group = 0; 32 * group < tile; ++group)
                within = {append(within, groups[group], op), true};
            if (warp > 0) within = {append(within, before_warp, op), true};
            share.sum_up_to_last(place, within, sum_of_part, op);
            __syncthreads();
        }
        if (warp == 0) {
            if (last) neighbours.tell(sum_of_part);
            const Prefix<T> found = neighbours.before(op);
            if (lane == 0) seed = found;
        }
        __syncthreads();
        before = seed;
    }
    for (int group = 0; 32 * group < tile; ++group) before = {append(before, groups[group], op), true};
    if (warp > 0) before = {append(before, before_warp, op), true};
    share.template scan<FORM>(problem.out, place, before, op);
}
