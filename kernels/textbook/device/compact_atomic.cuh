// Stream compaction with an atomic cursor: copy the elements that a predicate selects, in any order.
//
//     selected by          warp 0: 3      warp 1: 2      warp 2: 4
//     *cursor              0 -> 3         7 -> 9         3 -> 7        atomicAdd(cursor, 3), in any order
//     out                  | warp 0 | warp 2   | warp 1 |
//
// Output places are reserved in the order of arrival: every call selects the same elements, but their order
// differs. All additions go to one address and are serialised. To reduce their number, one addition reserves
// places for a whole warp or block; ranks within it are computed as in the compaction by scan.
//
//     aggregated by        additions                               order preserved within
//     thread               one for each selected element           nothing
//     warp                 one a row of 32 with a selected one     a row
//     block                one a tile of ITEMS THREADS elements    a tile
//
// So the source says. nvcc turns the first into the second by itself: where all active lanes add the same
// value to one address, it lets one lane add for all, by a popcount.
//
// Bytes: n elements read, the selected ones written. launches 1, and a memset.
// Source: Adinetz, "Optimized filtering with warp-aggregated atomics", NVIDIA developer blog, 2014.
#pragma once
#include <cuda_runtime.h>

#include "kernels/launch.cuh"
#include "kernels/textbook/block/rank_flags.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// The threads for which one atomic addition reserves output places.
enum class AggregatedBy { thread, warp, block };

/// *cursor: places reserved so far. Grid: one block of THREADS threads for each tile of ITEMS * THREADS
/// elements.
template <AggregatedBy AGGREGATED_BY, int ITEMS_PER_THREAD, int THREADS, class T, class Predicate>
__global__ void __launch_bounds__(THREADS)
    compact_by_cursor(const T* in, T* out, unsigned long long* cursor, long long n, Predicate predicate) {
    const long long base = blockIdx.x * static_cast<long long>(ITEMS_PER_THREAD * THREADS);
    T element[ITEMS_PER_THREAD];
    bool selected[ITEMS_PER_THREAD];
    load_and_test<THREADS>(in, base, n, predicate, element, selected);

    if constexpr (AGGREGATED_BY == AggregatedBy::thread) {
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k)
            if (selected[k]) out[atomicAdd(cursor, 1ull)] = element[k];
    } else if constexpr (AGGREGATED_BY == AggregatedBy::warp) {
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const unsigned set = __ballot_sync(ALL_LANES, selected[k]);
            if (set == 0) continue;
            unsigned long long first = 0;
            if (threadIdx.x % 32 == 0)
                first = atomicAdd(cursor, static_cast<unsigned long long>(__popc(set)));
            first = __shfl_sync(ALL_LANES, first, 0);
            if (selected[k]) out[first + __popc(set & lane_mask_lt())] = element[k];
        }
    } else {
        using Ranks = RankFlags<ITEMS_PER_THREAD, THREADS>;
        __shared__ int rows[Ranks::ROWS];
        __shared__ unsigned long long first;
        int rank[ITEMS_PER_THREAD];
        const int num_selected = Ranks::rank(rows, selected, rank);
        if (threadIdx.x == 0) first = atomicAdd(cursor, static_cast<unsigned long long>(num_selected));
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            if (selected[k]) out[first + rank[k]] = element[k];
            __syncwarp();  // a row at a time
        }
    }
}

/// Copy the elements of in[0 .. n-1] that `predicate` selects to out[0 .. *num_selected-1], in any order, n
/// >= 0, all on the device. out has room for them and must not overlap in.
template <AggregatedBy AGGREGATED_BY, int ITEMS_PER_THREAD = 8, int THREADS = 256, class T, class Predicate>
void compact_atomic(const T* in, T* out, long long* num_selected, long long n, Predicate predicate,
                    cudaStream_t stream) {
    (void)cudaMemsetAsync(num_selected, 0, sizeof(long long), stream);
    const auto blocks = static_cast<unsigned>(ceil_div(n, ITEMS_PER_THREAD * THREADS));
    if (blocks > 0)
        launch(compact_by_cursor<AGGREGATED_BY, ITEMS_PER_THREAD, THREADS, T, Predicate>, blocks, THREADS,
               stream, in, out, reinterpret_cast<unsigned long long*>(num_selected), n, predicate);
}

}  // namespace trial
