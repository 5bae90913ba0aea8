// OpenCV, blockScanInclusive (github.com/opencv/opencv/issues/13014, cured by pull request 13658): the sums
// of warps are scanned by the first lanes alone, with a shuffle whose mask names all 32. It hung an RTX
// 2080.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128, WARPS = THREADS / 32;

template <bool CURED>
__global__ void scan_of_warps(const int* in, int* out) {
    __shared__ int sums[WARPS];
    const int t = int(threadIdx.x), lane = t % 32, warp = t / 32;
    const int sum = __reduce_add_sync(ALL, in[t]);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (t < WARPS) {
        int value = sums[t];
        for (int distance = 1; distance < WARPS; distance *= 2) {
            const int other = __shfl_up_sync(CURED ? (1u << WARPS) - 1 : ALL, value, distance);  // fault
            if (t >= distance) value += other;
        }
        sums[t] = value;
    }
    __syncthreads();  // fault
    out[t] = sums[warp];
}

template <bool CURED>
std::string run() {
    std::vector<int> expected;
    for (int t = 0; t < THREADS; ++t) expected.push_back(32 * (t / 32 + 1));
    return outcome_of(scan_of_warps<CURED>, 1, THREADS, expected, ones(THREADS), zeros(THREADS));
}

const Bench exhibit("masks",
                    {{"opencv_scan_mask", Expected::divergent_warp, "lanes are named that do not come",
                      run<false>, OnGpu::hangs},
                     {"opencv_scan_mask_cured", Expected::clean, "those are named that do", run<true>}});

}  // namespace
