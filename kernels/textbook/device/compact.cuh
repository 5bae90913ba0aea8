// Stream compaction of any length: copy the elements that a predicate selects, in their order.
//
//     in                   | 1 -8  0  3 | 5  2 -1 -9 |       select x > 0
//     1  count             |     2      |     2      |       selected in each tile
//     2  scan the counts   |     2      |     4      |       inclusive: where each tile's output ends
//     3  flags             | 1  0  0  1 | 1  1  0  0 |
//        ranks             | 0        1 | 0  1       |       textbook/block/rank_flags
//        scatter to           0        1   2  3              end of the previous tile + rank
//     out                  | 1  3  5  2 |                    *num_selected = 4
//
// The predicate is evaluated twice for each element, so flags never go through memory. Bytes: 2 n elements
// read, the selected ones written, and a few accesses to an 8-byte count for each tile of 2,048 elements.
// launches: 2, plus those of the scan of the counts, 2 levels - 1.
// Source: Harris, Sengupta and Owens, GPU Gems 3, chapter 39, 2007, "stream compaction"; in tiles: Billeter,
// Olsson and Assarsson, "Efficient stream compaction on wide SIMD many-core architectures", HPG 2009.
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/rank_flags.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// counts: selected elements of each tile of ITEMS * THREADS. Grid: one block of THREADS threads for each
/// tile.
template <int ITEMS_PER_THREAD, int THREADS, class T, class Predicate>
__global__ void __launch_bounds__(THREADS)
    count_selected(const T* in, long long* counts, long long n, Predicate predicate) {
    constexpr int TILE = ITEMS_PER_THREAD * THREADS, WARPS = THREADS / 32;
    __shared__ int selected_by[WARPS];
    const long long base = blockIdx.x * static_cast<long long>(TILE);

    int selected = 0;  // by this thread's warp
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const long long i = base + k * THREADS + threadIdx.x;
        selected += __popc(__ballot_sync(ALL_LANES, i < n && predicate(in[i])));
    }
    if (threadIdx.x % 32 == 0) selected_by[threadIdx.x / 32] = selected;
    __syncthreads();

    if (threadIdx.x == 0) {
        long long sum = 0;
#pragma unroll 1  // otherwise nvcc merges four loads into one
        for (int warp = 0; warp < WARPS; ++warp) sum += selected_by[warp];
        counts[blockIdx.x] = sum;
    }
}

/// ends: the inclusive scan of the counts. Grid: as for count_selected.
template <int ITEMS_PER_THREAD, int THREADS, class T, class Predicate>
__global__ void __launch_bounds__(THREADS)
    scatter_selected(const T* in, T* out, long long* total, const long long* ends, long long n,
                     Predicate predicate) {
    using Ranks = RankFlags<ITEMS_PER_THREAD, THREADS>;
    __shared__ int rows[Ranks::ROWS];
    const long long base = blockIdx.x * static_cast<long long>(ITEMS_PER_THREAD * THREADS);

    T element[ITEMS_PER_THREAD];
    bool selected[ITEMS_PER_THREAD];
    int rank[ITEMS_PER_THREAD];
    load_and_test<THREADS>(in, base, n, predicate, element, selected);
    Ranks::rank(rows, selected, rank);

    const long long first = blockIdx.x == 0 ? 0 : ends[blockIdx.x - 1];
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        if (selected[k]) out[first + rank[k]] = element[k];
        __syncwarp();  // a row at a time
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *total = ends[blockIdx.x];
}

template <class T, class Predicate, int ITEMS_PER_THREAD = 8, int THREADS = 256>
class Compaction {
   public:
    /// Make room for the counts of up to `capacity` elements. Throws nothing; see status().
    explicit Compaction(long long capacity)
        : scan_(Spine::device, ceil_div(capacity, TILE)), counts_(ceil_div(capacity, TILE)) {}

    /// cudaSuccess, or why there is no room for the counts.
    cudaError_t status() const { return first_error({scan_.status(), counts_.status()}); }

    /// Copy the elements of in[0 .. n-1] that `predicate` selects to out[0 .. *num_selected-1], in their
    /// order, 0 <= n <= capacity, all on the device. out has room for them and must not overlap in.
    void operator()(const T* in, T* out, long long* num_selected, long long n, Predicate predicate,
                    cudaStream_t stream) {
        if (n <= 0) {
            (void)cudaMemsetAsync(num_selected, 0, sizeof(long long), stream);
            return;
        }
        const auto blocks = static_cast<unsigned>(ceil_div(n, TILE));
        launch(count_selected<ITEMS_PER_THREAD, THREADS, T, Predicate>, blocks, THREADS, stream, in,
               counts_.data(), n, predicate);
        scan_(counts_.data(), counts_.data(), blocks, Sum<long long>{}, stream);
        launch(scatter_selected<ITEMS_PER_THREAD, THREADS, T, Predicate>, blocks, THREADS, stream, in, out,
               num_selected, counts_.data(), n, predicate);
    }

   private:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    ThreePhaseScan<long long, Sum<long long>> scan_;
    DeviceArray<long long> counts_;
};

}  // namespace trial
