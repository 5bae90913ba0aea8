// Stream compaction of any length in one launch, that reads each element once: tiles tell one another how
// many they keep.
//
//     every block, again and again:
//         the tile of its ticket, in registers     3 -8  0  5 | 2 -1  7 -4      keep x > 0; each asked once
//         rank what it keeps                       0        1 | 2     3
//         leave the count for others               4                            fast/detail/tagged_words
//         the kept, side by side in shared memory  3  5  2  7
//         next tile: on its way to registers       ..
//         add up the counts of all tiles before    those since its own last tile, all read at a time
//         store                                    out[before ..] = 3 5 2 7
//
// A block leaves the count of a tile before it waits for others, and it waits for tiles of lower numbers
// only. So the lowest count that is missing is never waited for by the block that owes it, and no order of
// blocks can stop them. Nobody waits for a sum that another one had to wait for: there is no chain of
// prefixes as in decoupled look-back, at the price of reading as many counts a tile as there are blocks. The
// next tile is read while this one waits and stores, and the ticket after it is on its way.
//
// Order is kept. Work: n predicates. Bytes: n elements read, the kept ones written, and 8 bytes a tile
// written once and read by each block. launches 1. atomic operations: a ticket a tile, and 2 a block.
// barriers: 2 a tile, and 1 a block.
//
// Source: Billeter, Olsson and Assarsson, "Efficient stream compaction on wide SIMD many-core architectures",
// HPG 2009; in one pass: Merrill and Garland, NVR-2016-002, 2016, section 5; sums in place of a chain: ours.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/fast/detail/rank_selected.cuh"
#include "kernels/fast/detail/wide_vector.cuh"
#include "kernels/fast/detail/workspace.cuh"
#include "kernels/launch.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"

/// THREADS: of a block. ROWS: units a thread of a tile. BLOCKS: at most; more than the GPU runs side by side
/// do no good. RESIDENT: blocks that registers must leave room for on a multiprocessor. LOOKS: counts that a
/// lane reads at a time; those of all blocks are BLOCKS / 32.
template <int THREADS_, int ROWS_, int BLOCKS_, int RESIDENT_, int LOOKS_>
struct LookAheadPolicy {
    static constexpr int THREADS = THREADS_, ROWS = ROWS_, BLOCKS = BLOCKS_, RESIDENT_BLOCKS = RESIDENT_;
    static constexpr int COUNTS_PER_LANE = LOOKS_, WARPS = THREADS / 32;
};

/// Tiles of 32 KB, or 16 KB of bytes, or what 128 threads hold of elements of odd sizes; two blocks on each
/// multiprocessor of an H200.
template <class T>
struct DefaultLookAhead {
    static constexpr int WORDS = WideVector<T>::WORDS;
    static constexpr int THREADS = WORDS <= 3 ? 512 : 128, WARPS = THREADS / 32;
    static constexpr int ROWS = WORDS > 1 ? 1 : sizeof(T) == 1 ? 2 : 4;
    static constexpr int BLOCKS = 2 * 132, RESIDENT_BLOCKS = 2, COUNTS_PER_LANE = 9;
};

/// Kept elements of tiles first .. last - 1, to all lanes. Waits until they are known. Called by a whole
/// warp.
template <int COUNTS_PER_LANE>
__device__ long long selected_in_tiles(const VersionedArray<int>& counts, unsigned first, unsigned last) {
    long long kept = 0;
    for (; first < last; first += 32 * COUNTS_PER_LANE) {
        const int left = static_cast<int>(last - first) - static_cast<int>(threadIdx.x % 32);
        int count[COUNTS_PER_LANE], sum = 0;
        counts.await(count, first, last - 1);
#pragma unroll
        for (int k = 0; k < COUNTS_PER_LANE; ++k) sum += 32 * k < left ? count[k] : 0;
#pragma unroll
        for (int distance = 1; distance < 32; distance *= 2) sum += shuffle_xor(sum, distance);
        kept += sum;
    }
    return kept;
}

/// out: room for what is kept. counts: a slot a tile. Grid: at most as many blocks of Policy::THREADS threads
/// as there are tiles; one if there are none.
template <class Policy, class T, class Predicate>
__global__ void __launch_bounds__(Policy::THREADS, Policy::RESIDENT_BLOCKS)
    compact_look_ahead(WideVector<T> in, T* out, long long* kept, unsigned number_of_tiles,
                       VersionedWords workspace, Predicate keep) {
    constexpr int WARPS = Policy::WARPS;
    using Units = SelectedUnits<Policy::ROWS, T>;
    __shared__ T tile[WARPS * Units::UNITS * Units::PER_UNIT];
    __shared__ int selected_by[WARPS];
    __shared__ long long begin_of_tile;
    __shared__ Ticket drawn[2];
    const int warp = threadIdx.x / 32;
    const auto first_unit = [&](unsigned number) { return (1LL * number * WARPS + warp) * Units::UNITS; };

    if (threadIdx.x == 0) {
        begin_of_tile = 0;
        drawn[0] = workspace.take_ticket();
        drawn[1] = workspace.take_ticket();
    }
    __syncthreads();
    const unsigned version = drawn[0].version();
    const VersionedArray<int> counts(workspace, version);
    unsigned number = drawn[0].number(), next = drawn[1].number();
    Units units;
    if (number < number_of_tiles) units.read(in, first_unit(number));

    unsigned known = 0;  // begin_of_tile is what the tiles before this one keep
    while (number < number_of_tiles) {
        const int selected_by_warp = units.rank(in, first_unit(number), keep);
        if (threadIdx.x % 32 == 0) selected_by[warp] = selected_by_warp;
        __syncthreads();  // also, the tile before is stored

        int before_warp = 0, count = 0;
#pragma unroll
        for (int w = 0; w < WARPS; ++w) {
            if (w < warp) before_warp += selected_by[w];
            count += selected_by[w];
        }
        if (threadIdx.x == 0) counts.write(number, count);
        units.write(tile + before_warp);
        if (next < number_of_tiles) units.read(in, first_unit(next));

        if (threadIdx.x == Policy::THREADS - 1) drawn[0] = workspace.take_ticket();
        if (threadIdx.x < 32) {
            const long long selected_since =
                selected_in_tiles<Policy::COUNTS_PER_LANE>(counts, known, number);
            if (threadIdx.x == 0) {
                begin_of_tile += selected_since;
                if (number == number_of_tiles - 1) *kept = begin_of_tile + count;
            }
        }
        known = number;
        __syncthreads();
        T* const to = out + begin_of_tile;
#pragma unroll 4
        for (int i = threadIdx.x; i < count; i += Policy::THREADS) to[i] = tile[i];
        number = next;
        next = drawn[0].number();
    }
    if (threadIdx.x == 0 && next == number_of_tiles + 2 * gridDim.x - 1) {  // the last ticket of the call
        if (number_of_tiles == 0) *kept = 0;
        workspace.end_call(version, number_of_tiles);
    }
}

template <class T, class Predicate, class Policy = DefaultLookAhead<T>>
class LookAheadCompaction {
   public:
    static constexpr int TILE_UNITS = Policy::THREADS * Policy::ROWS;
    static constexpr int TILE = TILE_UNITS * WideVector<T>::PER_UNIT;

    /// Make room for the counts of up to `capacity` elements. Throws nothing; see status().
    explicit LookAheadCompaction(long long capacity)
        : workspace_(Workspace::bytes<int>(ceil_div(capacity, TILE) + 1 + 32 * Policy::COUNTS_PER_LANE)) {}

    /// cudaSuccess, or why there is no room for the counts.
    cudaError_t status() const { return workspace_.status(); }

    /// Copy those of in[0 .. n-1] that `keep` wants to out[0 .. *kept-1], in their order, 0 <= n <= capacity,
    /// all on the device. out has room for them, and must not overlap in. Calls on one workspace must not
    /// overlap; a CUDA graph may capture them.
    void operator()(const T* in, T* out, long long* kept, long long n, Predicate keep, cudaStream_t stream) {
        const WideVector<T> vector(in, n);
        const auto count = static_cast<unsigned>(ceil_div(vector.units(), TILE_UNITS));
        const unsigned blocks = std::min<unsigned>(Policy::BLOCKS, std::max(1u, count));
        launch(compact_look_ahead<Policy, T, Predicate>, blocks, Policy::THREADS, stream, vector, out, kept,
               count, workspace_.words(), keep);
    }

   private:
    Workspace workspace_;
};
