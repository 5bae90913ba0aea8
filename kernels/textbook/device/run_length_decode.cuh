// Run-length decoding by scan: write each value as many times as its run is long.
//
//     values, lengths      a 2    b 0    c 3    d 1
//     ends                   2      2      5      6        inclusive scan: where each run ends; *total = 6
//     place                0  1  2  3  4  5
//     its run              a  a  c  c  c  d                the first run whose end exceeds the place
//
// Each output element finds its run by binary search in the ends, which ascend; an empty run ends where the
// run before it does, so no search returns it. A block first finds the runs of its first and last element,
// and its threads search between these. The other textbook method writes each run's index where the run
// begins and takes a max-scan over the output; it needs a buffer of the output's size and three more passes
// over it, and must handle empty runs that begin at the same place.
//
// Work: about 2 operations a run for the scan; for the search, an element takes 1 + log2(runs that overlap
// its tile) steps, at most 1 + log2 runs. Bytes: 40 a run for the ends (4 times 8 by the scan, 8 by the
// search), values read, output written. launches: 1, plus those of the scan, 2 levels - 1.
// Source: Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990, section 1.6 (allocation);
// search from the output side: Baxter, "Modern GPU", 2013, "load-balancing search".
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// A range of the output: elements first .. first + count - 1.
struct Window {
    long long first, count;
};

/// The first of the runs low .. high whose end exceeds `place`; `high` if none before it does. Takes
/// 1 + log2(high - low) steps whatever the place, so the lanes of a warp do not diverge.
template <class Index>
__device__ Index run_at(const long long* ends, Index low, Index high, long long place) {
    Index step = 1;
    while (step <= (high - low) / 2) step *= 2;
    if (low == high) step = 0;
    for (; step > 0; step /= 2) {
        const Index next = min(low + step, high);
        if (ends[next - 1] <= place) low = next;
    }
    return low;
}

/// ends: ascending, for `runs` >= 1 runs. out: room for the window; places beyond the end of the last run are
/// not written. Grid: one block of THREADS threads for each ITEMS * THREADS elements of the window, at least
/// one.
template <int ITEMS_PER_THREAD, int THREADS, class T>
__global__ void __launch_bounds__(THREADS) decode_runs(const T* values, const long long* ends, long long runs,
                                                       T* out, Window window, long long* total) {
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    __shared__ long long first_run;
    __shared__ volatile long long last_run;  // otherwise nvcc merges both loads into one
    const long long end_of_all = ends[runs - 1];
    if (blockIdx.x == 0 && threadIdx.x == 0) *total = end_of_all;

    const long long base = blockIdx.x * static_cast<long long>(TILE);  // within the window
    const long long count =
        min(min(static_cast<long long>(TILE), window.count - base), end_of_all - (window.first + base));
    if (count <= 0) return;

    if (threadIdx.x == 0) first_run = run_at(ends, 0LL, runs - 1, window.first + base);
    if (threadIdx.x == THREADS - 1) last_run = run_at(ends, 0LL, runs - 1, window.first + base + count - 1);
    __syncthreads();

    const long long low = first_run, high = last_run;
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const int i = k * THREADS + threadIdx.x;
        if (i < count) out[base + i] = values[run_at(ends, low, high, window.first + base + i)];
    }
}

template <class T, int ITEMS_PER_THREAD = 8, int THREADS = 256>
class RunLengthDecode {
   public:
    /// Make room for the ends of up to `capacity` runs. Throws nothing; see status().
    explicit RunLengthDecode(long long capacity) : scan_(Spine::device, capacity), ends_(capacity) {}

    /// cudaSuccess, or why there is no room for the ends.
    cudaError_t status() const { return first_error({scan_.status(), ends_.status()}); }

    /// Decode values[0] lengths[0] times, then values[1] lengths[1] times, and so on. Of that output,
    /// elements window.first .. window.first + window.count - 1, as far as they exist, go to out[0 ..].
    /// *total: the length of the whole output, whatever the window. 0 <= runs <= capacity, lengths >= 0,
    /// window.first >= 0; all on the device.
    void operator()(const T* values, const long long* lengths, long long runs, T* out, Window window,
                    long long* total, cudaStream_t stream) {
        if (runs <= 0) {
            (void)cudaMemsetAsync(total, 0, sizeof(long long), stream);
            return;
        }
        scan_(lengths, ends_.data(), runs, Sum<long long>{}, stream);
        const auto blocks =
            static_cast<unsigned>(std::max(1LL, ceil_div(window.count, ITEMS_PER_THREAD * THREADS)));
        launch(decode_runs<ITEMS_PER_THREAD, THREADS, T>, blocks, THREADS, stream, values, ends_.data(), runs,
               out, window, total);
    }

   private:
    ThreePhaseScan<long long, Sum<long long>> scan_;
    DeviceArray<long long> ends_;
};

}  // namespace trial
