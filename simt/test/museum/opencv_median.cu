// OpenCV, cuMedianFilterMultiBlock (github.com/opencv/opencv/pull/12722, and once more 19534): a scan of
// eight counts in place. `+=` reads a neighbour's count that the neighbour is adding to.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int COUNTS = 8;

template <bool CURED>
__global__ void scan(const int* in, int* out) {
    __shared__ int counts[COUNTS];
    const int t = int(threadIdx.x);
    if (t < COUNTS) counts[t] = in[t];
    __syncthreads();
    for (int n = 1; n < COUNTS; n *= 2) {
        if (CURED) {
            const int mine = t < COUNTS ? counts[t] : 0;
            const int other = t >= n && t < COUNTS ? counts[t - n] : 0;
            __syncthreads();
            if (t < COUNTS) counts[t] = mine + other;
        } else if (t >= n && t < COUNTS) {
            counts[t] += counts[t - n];  // fault
        }
        __syncthreads();
    }
    if (t < COUNTS) out[t] = counts[t];
}

template <bool CURED>
std::string run() {
    return result_of(scan<CURED>, 1, 32, {1, 2, 3, 4, 5, 6, 7, 8}, ones(COUNTS), zeros(COUNTS));
}

const Bench exhibit("within a warp",
                    {{"opencv_median", Expected::race, "read and written at one level", run<false>},
                     {"opencv_median_cured", Expected::clean, "a barrier between the two", run<true>}});

}  // namespace
