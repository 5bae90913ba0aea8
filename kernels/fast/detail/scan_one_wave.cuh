// Scan of short vectors: one tile a block, all blocks in one wave, each tile in registers throughout.
//
//     block          loads and reduces its tile, publishes the sum
//                    each warp polls the sums of 32 tiles before it:      | 32 | 32 | .. this tile
//                    adds them up, scans its tile, stores it
//
// Forward progress: none is assumed. After too many failed polls a warp recomputes the missing tile's sum
// itself, in the order in which its block would, so the bits are the same. Blocks may run in any order, and
// one at a time. In place no other block may read a tile, because its block overwrites it; there a block's
// ticket is its tile, at the price of a wait for the ticket, so a block waits only for blocks that run.
//
// Work: n for the sums, n for the scan, 2 for each word, and 6 for each thread. Bytes: 2 n elements, and one
// status a tile, read by all tiles after it; none if there is a single tile. launches 1. Nothing is
// initialised between calls. The order of operations depends on n only. Source: ours, after Merrill and
// Garland, NVR-2016-002, 2016.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/fast/detail/wave_tiles.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

/// The sum of chunk `warp` of the full tile `tile`, by one warp. Tiles: WaveTiles. Not unrolled: it runs
/// rarely and must not raise the register count of the kernel.
template <class Tiles, class T, class Op>
__device__ T reduce_chunk(const T* in, long long tile, int warp, Op op) {
    Prefix<T> own = {{}, false};
#pragma unroll 1
    for (int j = 0; j < Tiles::WORDS; ++j) {
        const int word = threadIdx.x % 32 * Tiles::WORDS + j;
        const T* const from = in + tile * Tiles::TILE + warp * Tiles::CHUNK + word * Tiles::PER_WORD;
        T sum = from[0];
#pragma unroll 1
        for (int i = 1; i < Tiles::PER_WORD; ++i) sum = op(sum, from[i]);
        own = {combine(own, sum, op), true};
    }
    return shuffle_from(scan_warp(own.value, true, op), 31);
}

/// The sum of a full tile, by one warp, in the order in which its block adds it up.
template <class Tiles, class T, class Op>
__device__ T sum_of_tile(const T* in, long long tile, Op op) {
    T mine = {};
#pragma unroll 1
    for (int warp = 0; warp < Tiles::WARPS; ++warp) {
        const T sum = reduce_chunk<Tiles>(in, tile, warp, op);
        if (warp == static_cast<int>(threadIdx.x % 32)) mine = sum;
    }
    mine = scan_warp<Tiles::WARPS>(mine, threadIdx.x % 32 < Tiles::WARPS, op);
    return shuffle_from(mine, Tiles::WARPS - 1);
}

/// The sum of tiles first .. end - 1, of which the warp adds 1 to 32. A sum that is not published after
/// Policy::POLLS_BEFORE_RECOMPUTE polls is recomputed here, unless the scan is in place.
template <class Policy, bool IN_PLACE, class Tiles, class T, class Op>
__device__ T sum_of_tiles(const T* in, const VersionedArray<T>& status, int first, int end, Op op) {
    const int mine = first + static_cast<int>(threadIdx.x % 32);
    T value = {};
    bool missing = mine < end;
    for (unsigned polls = 1;; ++polls) {
        if (missing) missing = !status.read(mine, value);
        const unsigned waiting = __ballot_sync(ALL_LANES, missing);
        if (waiting == 0) break;
        if constexpr (IN_PLACE) {
            if (status.give_up(polls)) break;
        } else if (polls > Policy::POLLS_BEFORE_RECOMPUTE) {
            const int tile = first + __ffs(static_cast<int>(waiting)) - 1;
            const T sum = sum_of_tile<Tiles>(in, tile, op);
            if (mine == tile) value = sum;
            if (mine == tile) missing = false;
        }
    }
    value = scan_warp(value, mine < end, op);
    return shuffle_from(value, min(end - first, 32) - 1);
}

/// For a vector that is not part of a longer one: its exclusive prefix is the problem's seed.
struct NoExchange {
    static constexpr bool IS_PART = false;
};

/// n >= 1. Grid: ceil_div(n, TILE) blocks, at most Tiles::MAX_TILES; Policy::tile(block, blocks) is a block's
/// tile, unless the scan is in place. IN_PLACE: whether problem.in is problem.out. exchange: NoExchange, or
/// multi_gpu/part_totals, to which this part's total is published and from which its seed comes.
template <class Policy, Form FORM, bool IN_PLACE, class Tiles, class T, class Op, class Exchange = NoExchange>
__global__ void __launch_bounds__(Tiles::THREADS, Policy::BLOCKS)
    scan_one_wave(const __grid_constant__ ScanProblem<T> problem,
                  const __grid_constant__ VersionedWords workspace, Op op,
                  const __grid_constant__ Exchange exchange) {
    constexpr int WARPS = Tiles::WARPS;
    __shared__ T sums[WARPS], groups[Tiles::GROUPS];
    __shared__ typename WaveChunk<Tiles, T>::Offsets offsets[WARPS];
    __shared__ unsigned version;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int tile = Policy::tile(blockIdx.x, gridDim.x);

    // The version changes once all blocks have tickets: a block may read it before it takes its own, which is
    // faster, and need the ticket only at the end. Taken at once, it would delay the version. Where registers
    // are full of the vector nothing is gained: the first polls would only slow other blocks' loads.
    constexpr bool READS = !IN_PLACE && Policy::BLOCKS == 1;
    const bool counts = threadIdx.x == 0 && gridDim.x > 1;
    Ticket ticket;
    if (counts) ticket = READS ? workspace.last_version() : workspace.take_ticket();
    if constexpr (IN_PLACE) {
        __shared__ unsigned number;
        if (threadIdx.x == 0) number = ticket.number();
        __syncthreads();
        tile = static_cast<int>(min(number, gridDim.x - 1));  // beyond only if calls overlap
    }
#pragma unroll 1  // at most twice
    for (int earlier = threadIdx.x; earlier < tile; earlier += Tiles::THREADS)
        VersionedArray<T>::prefetch(workspace, earlier);
    const WavePlace<Tiles, T> place(tile, warp, problem.n);
    WaveChunk<Tiles, T> chunk(problem.in, place, offsets[warp]);
    if (READS && threadIdx.x == 0) version = ticket.version();
    if (READS && counts) ticket = workspace.take_ticket();
    const bool all = IS_TOTAL<Op> || place.full;  // are combined
    all ? chunk.template add_up<true>(place, op) : chunk.template add_up<false>(place, op);
    if (lane == 0) sums[warp] = chunk.sum();
    if (!READS && threadIdx.x == 0) version = ticket.version();
    __syncthreads();

    const VersionedArray<T> published(workspace, version);
    // Warps that have elements.
    const int whole = IS_TOTAL<Op>
                          ? WARPS
                          : static_cast<int>(min(ceil_div(problem.n - 1LL * tile * Tiles::TILE, Tiles::CHUNK),
                                                 1LL * WARPS));
    const T inclusive =
        scan_warp<WARPS>(sums[lane % WARPS], lane < WARPS && (IS_TOTAL<Op> || lane < whole), op);
    if (threadIdx.x == 32 * WARPS - 32 + WARPS - 1 && tile + 1 < static_cast<int>(gridDim.x))
        published.write(tile, inclusive);
    const T warp_prefix = shuffle_from(inclusive, max(warp - 1, 0));
    for (int group = warp; 32 * group < tile; group += WARPS) {
        const T sum = sum_of_tiles<Policy, IN_PLACE, Tiles>(problem.in, published, 32 * group, tile, op);
        if (lane == 0) groups[group] = sum;
    }
    __syncthreads();

    Prefix<T> prefix = problem.load_seed();
    if constexpr (Exchange::IS_PART) {
        __shared__ Prefix<T> seed;
        __shared__ T sum_of_part;
        const bool last = tile + 1 == static_cast<int>(gridDim.x);
        if (last) {
            Prefix<T> within = {{}, false};
            for (int group = 0; 32 * group < tile; ++group)
                within = {combine(within, groups[group], op), true};
            if (warp > 0 && (IS_TOTAL<Op> || warp < whole)) within = {combine(within, warp_prefix, op), true};
            chunk.sum_up_to_last(place, within, sum_of_part, op);
            __syncthreads();
        }
        if (warp == 0) {
            if (last) exchange.publish(sum_of_part);
            const Prefix<T> found = exchange.exclusive_prefix(op);
            if (lane == 0) seed.value = found.value;
            if (lane == 0) seed.exists = found.exists;
        }
        __syncthreads();
        prefix = {seed.value, seed.exists};
    }
    for (int group = 0; 32 * group < tile; ++group) prefix = {combine(prefix, groups[group], op), true};
    if (warp > 0 && (IS_TOTAL<Op> || warp < whole)) prefix = {combine(prefix, warp_prefix, op), true};
    all ? chunk.template scan<true, FORM>(problem.out, place, prefix, op)
        : chunk.template scan<false, FORM>(problem.out, place, prefix, op);
    if (counts) workspace.end_call(ticket, gridDim.x, gridDim.x * VersionedArray<T>::WORDS);
}

}  // namespace trial
