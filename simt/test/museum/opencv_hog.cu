// OpenCV, normalize_hists_kernel_many_blocks (github.com/opencv/opencv/issues/5721, cured by pull request
// 5742): a reduction in shared memory is called twice, and the second writes its input where others still
// read the result of the first.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128;

__device__ int sum_of(int* shared, int value) {
    const int t = int(threadIdx.x);
    shared[t] = value;  // fault
    __syncthreads();
    for (int n = THREADS / 2; n > 0; n /= 2) {
        if (t < n) shared[t] += shared[t + n];
        __syncthreads();
    }
    return shared[0];  // fault
}

template <bool CURED>
__global__ void normalise(const int* in, int* out) {
    __shared__ int shared[THREADS];
    const int value = in[threadIdx.x];
    const int squares = sum_of(shared, value * value);
    if (CURED) __syncthreads();
    out[threadIdx.x] = sum_of(shared, min(value, squares));
}

template <bool CURED>
std::string run() {
    return result_of(normalise<CURED>, 1, THREADS, repeated(THREADS, THREADS), ones(THREADS), zeros(THREADS));
}

const Bench exhibit("shared memory again",
                    {{"opencv_hog", Expected::race, "no barrier before the second reduction", run<false>},
                     {"opencv_hog_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
