// Stream compaction with an atomic cursor: keep the elements that a predicate wants, in any order.
//
//     kept by              warp 0: 3      warp 1: 2      warp 2: 4
//     *cursor              0 -> 3         7 -> 9         3 -> 7        atomicAdd(cursor, 3), in any order
//     out                  | warp 0 | warp 2   | warp 1 |
//
// Whoever comes first writes first: which elements are kept is the same at every call, their order is not.
// All additions go to one address and so one after another; to have fewer of them, a warp or a block draws
// places for all it keeps, and only ranks within are found as in the compaction by scan.
//
//     places drawn by      additions                               in order within
//     thread               one a kept element                      nothing
//     warp                 one a row of 32 that keeps any          a row
//     block                one a tile of ITEMS THREADS elements    a tile
//
// That is what the source says. nvcc makes the first into the second by itself: it sees that all lanes add
// the same to one address, and has one of them add the popcount.
//
// Bytes: n elements read, the kept ones written. launches 1, and a memset.
// Source: Adinetz, "Optimized filtering with warp-aggregated atomics", NVIDIA developer blog, 2014.
#pragma once
#include <cuda_runtime.h>

#include "kernels/launch.cuh"
#include "kernels/textbook/block/rank_flags.cuh"
#include "kernels/tile.cuh"

/// For whom one atomic addition draws places.
enum class DrawnBy { thread, warp, block };

/// *cursor: places given away so far. Grid: a block of THREADS threads for each tile of ITEMS * THREADS.
template <DrawnBy DRAWN_BY, int ITEMS_PER_THREAD, int THREADS, class T, class Predicate>
__global__ void __launch_bounds__(THREADS)
    compact_by_cursor(const T* in, T* out, unsigned long long* cursor, long long n, Predicate keep) {
    const long long base = blockIdx.x * static_cast<long long>(ITEMS_PER_THREAD * THREADS);
    T element[ITEMS_PER_THREAD];
    bool selected[ITEMS_PER_THREAD];
    load_and_test<THREADS>(in, base, n, keep, element, selected);

    if constexpr (DRAWN_BY == DrawnBy::thread) {
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k)
            if (selected[k]) out[atomicAdd(cursor, 1ull)] = element[k];
    } else if constexpr (DRAWN_BY == DrawnBy::warp) {
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const unsigned set = __ballot_sync(ALL_LANES, selected[k]);
            if (set == 0) continue;
            unsigned long long first = 0;
            if (threadIdx.x % 32 == 0)
                first = atomicAdd(cursor, static_cast<unsigned long long>(__popc(set)));
            first = __shfl_sync(ALL_LANES, first, 0);
            if (selected[k]) out[first + __popc(set & lanes_before())] = element[k];
        }
    } else {
        using Ranks = RankFlags<ITEMS_PER_THREAD, THREADS>;
        __shared__ int rows[Ranks::ROWS];
        __shared__ unsigned long long first;
        int rank[ITEMS_PER_THREAD];
        const int kept = Ranks::rank(rows, selected, rank);
        if (threadIdx.x == 0) first = atomicAdd(cursor, static_cast<unsigned long long>(kept));
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            if (selected[k]) out[first + rank[k]] = element[k];
            __syncwarp();  // a row at a time
        }
    }
}

/// Copy those of in[0 .. n-1] that `keep` wants to out[0 .. *kept-1], in any order, n >= 0, all on the
/// device. out has room for them, and must not overlap in.
template <DrawnBy DRAWN_BY, int ITEMS_PER_THREAD = 8, int THREADS = 256, class T, class Predicate>
void compact_atomic(const T* in, T* out, long long* kept, long long n, Predicate keep, cudaStream_t stream) {
    (void)cudaMemsetAsync(kept, 0, sizeof(long long), stream);
    const auto blocks = static_cast<unsigned>(ceil_div(n, ITEMS_PER_THREAD * THREADS));
    if (blocks > 0)
        launch(compact_by_cursor<DRAWN_BY, ITEMS_PER_THREAD, THREADS, T, Predicate>, blocks, THREADS, stream,
               in, out, reinterpret_cast<unsigned long long*>(kept), n, keep);
}
