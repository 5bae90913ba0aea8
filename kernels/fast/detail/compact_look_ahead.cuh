// Stream compaction of any length in one launch that reads each element once: tiles publish their counts
// of selected elements.
//
//     every block, repeatedly:
//         load the tile of its ticket to registers 3 -8  0  5 | 2 -1  7 -4      select x > 0, evaluated once
//         rank the selected elements               0        1 | 2     3
//         publish their count                      4                            kernels/versioned_words
//         pack them in shared memory               3  5  2  7
//         issue the loads of the next tile         ..
//         add up the counts of all tiles before    those since the block's last tile, all loaded together
//         store                                    out[first ..] = 3 5 2 7
//
// Forward progress: a block publishes the count of its tile before it waits, and it waits only for tiles of
// lower tickets. So the block that owes the lowest missing count is never waiting for it, in whatever order
// blocks are scheduled. No count depends on another count: there is no chain of prefixes as in decoupled
// look-back, at the price of reading as many counts a tile as there are blocks. The loads of the next tile
// are in flight while this one waits and stores, and so is the ticket after it.
//
// The order of elements is preserved. Work: n predicates. Bytes: n elements read, the selected ones written,
// and 8 bytes a tile written once and read by each block. launches 1. Atomic operations: a ticket a tile, and
// 2 a block. Barriers: 2 a tile, and 1 a block.
//
// Source: Billeter, Olsson and Assarsson, "Efficient stream compaction on wide SIMD many-core architectures",
// HPG 2009; in one pass: Merrill and Garland, NVR-2016-002, 2016, section 5; sums instead of a chain: ours.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/detail/rank_selected.cuh"
#include "kernels/fast/detail/wide_vector.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/launch.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// THREADS: of a block. ROWS: vector units of a tile for each thread. BLOCKS: at most; more than can be
/// resident gain nothing. RESIDENT_BLOCKS: blocks of a multiprocessor for which registers must suffice.
/// COUNTS_PER_LANE: counts that a lane loads together; BLOCKS / 32 cover all blocks.
template <int THREADS_, int ROWS_, int BLOCKS_, int RESIDENT_BLOCKS_, int COUNTS_PER_LANE_>
struct LookAheadPolicy {
    static constexpr int THREADS = THREADS_, ROWS = ROWS_, BLOCKS = BLOCKS_,
                         RESIDENT_BLOCKS = RESIDENT_BLOCKS_;
    static constexpr int COUNTS_PER_LANE = COUNTS_PER_LANE_, WARPS = THREADS / 32;
    static int blocks(const Device&) { return BLOCKS; }
};

/// Tiles of 32 KB; of 16 KB for 1-byte elements; of what 128 threads hold for elements of odd sizes. Two
/// blocks on each multiprocessor of an H200.
template <class T>
struct DefaultLookAhead {
    static constexpr int WORDS = WideVector<T>::WORDS;
    static constexpr int THREADS = WORDS <= 3 ? 512 : 128, WARPS = THREADS / 32;
    static constexpr int ROWS = WORDS > 1 ? 1 : sizeof(T) == 1 ? 2 : 4;
    static constexpr int RESIDENT_BLOCKS = 2, COUNTS_PER_LANE = 9;
    static int blocks(const Device& device) { return 2 * device.multiprocessors; }
};

/// Selected elements of tiles first .. last - 1, to all lanes. Waits until their counts are published. Called
/// by a whole warp.
template <int COUNTS_PER_LANE>
__device__ long long selected_in_tiles(const VersionedArray<int>& counts, unsigned first, unsigned last) {
    long long selected = 0;
    for (; first < last; first += 32 * COUNTS_PER_LANE) {
        const int left = static_cast<int>(last - first) - static_cast<int>(threadIdx.x % 32);
        int count[COUNTS_PER_LANE], sum = 0;
        counts.await(count, first, last - 1);
#pragma unroll
        for (int k = 0; k < COUNTS_PER_LANE; ++k) sum += 32 * k < left ? count[k] : 0;
#pragma unroll
        for (int distance = 1; distance < 32; distance *= 2) sum += shuffle_xor(sum, distance);
        selected += sum;
    }
    return selected;
}

/// out: room for the selected elements. Grid: at most as many blocks of Policy::THREADS threads as there are
/// tiles; one if there are none.
template <class Policy, class T, class Predicate>
__global__ void __launch_bounds__(Policy::THREADS, Policy::RESIDENT_BLOCKS)
    compact_look_ahead(WideVector<T> in, T* out, long long* num_selected, unsigned number_of_tiles,
                       VersionedWords workspace, Predicate predicate) {
    constexpr int WARPS = Policy::WARPS;
    using Units = SelectedUnits<Policy::ROWS, T>;
    __shared__ T tile[WARPS * Units::UNITS * Units::PER_UNIT];
    __shared__ int selected_by[WARPS];
    __shared__ long long begin_of_tile;
    __shared__ unsigned long long tickets[2];
    const int warp = threadIdx.x / 32;
    const auto first_unit = [&](unsigned number) { return (1LL * number * WARPS + warp) * Units::UNITS; };

    if (threadIdx.x == 0) {
        begin_of_tile = 0;
        tickets[0] = workspace.take_ticket().word;
        tickets[1] = workspace.take_ticket().word;
    }
    __syncthreads();
    const unsigned version = Ticket{tickets[0]}.version();
    const VersionedArray<int> counts(workspace, version);
    unsigned number = Ticket{tickets[0]}.number();
    Ticket next = {tickets[1]};
    Units units;
    if (number < number_of_tiles) units.read(in, first_unit(number));

    unsigned known = 0;  // begin_of_tile counts the tiles before this one
    while (number < number_of_tiles) {
        const int selected_by_warp = units.rank(in, first_unit(number), predicate);
        if (threadIdx.x % 32 == 0) selected_by[warp] = selected_by_warp;
        __syncthreads();  // also, the previous tile has been stored

        int warp_prefix = 0, count = 0;
#pragma unroll
        for (int w = 0; w < WARPS; ++w) {
            if (w < warp) warp_prefix += selected_by[w];
            count += selected_by[w];
        }
        if (threadIdx.x == 0) counts.write(number, count);
        units.write(tile + warp_prefix);
        if (next.number() < number_of_tiles) units.read(in, first_unit(next.number()));

        if (threadIdx.x == Policy::THREADS - 1) tickets[0] = workspace.take_ticket().word;
        if (threadIdx.x < 32) {
            const long long selected_since =
                selected_in_tiles<Policy::COUNTS_PER_LANE>(counts, known, number);
            if (threadIdx.x == 0) {
                begin_of_tile += selected_since;
                if (number == number_of_tiles - 1) *num_selected = begin_of_tile + count;
            }
        }
        known = number;
        __syncthreads();
        T* const to = out + begin_of_tile;
#pragma unroll 4
        for (int i = threadIdx.x; i < count; i += Policy::THREADS) to[i] = tile[i];
        number = next.number();
        next = {tickets[0]};
    }
    if (threadIdx.x == 0) {
        if (number_of_tiles == 0) *num_selected = 0;
        workspace.end_call(next, number_of_tiles + 2 * gridDim.x, number_of_tiles);
    }
}

namespace select_detail {

template <class T, class Policy>
inline constexpr int TILE_UNITS = Policy::THREADS * Policy::ROWS;

/// Bytes for up to n elements.
template <class T, class Policy = DefaultLookAhead<T>>
std::size_t look_ahead_bytes(long long n) {
    return bytes_of_words<int>(ceil_div(n, TILE_UNITS<T, Policy> * WideVector<T>::PER_UNIT) + 1);
}

/// As select_if of fast/select on any GPU, n >= 0, with memory of so many bytes, check()ed before.
template <class T, class Predicate, class Policy = DefaultLookAhead<T>>
cudaError_t look_ahead(const Memory& memory, std::size_t bytes, const T* in, T* out, long long* num_selected,
                       long long n, Predicate predicate, const Device& device, cudaStream_t stream) {
    VersionedWords words;
    const cudaError_t status = memory.words(bytes, stream, words);
    if (status != cudaSuccess) return status;
    const WideVector<T> vector(in, n);
    const auto count = static_cast<unsigned>(ceil_div(vector.units(), TILE_UNITS<T, Policy>));
    const auto most = static_cast<unsigned>(Policy::blocks(device));
    return launch(compact_look_ahead<Policy, T, Predicate>, std::min(most, std::max(1u, count)),
                  Policy::THREADS, stream, vector, out, num_selected, count, words, predicate);
}

}  // namespace select_detail

}  // namespace trial
