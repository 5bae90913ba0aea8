// Apex, cuApplyLayerNorm (github.com/NVIDIA/apex/pull/1184): a block normalises one row after another. The
// next row's sums are written into the buffer from which slower threads still read this row's mean.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128, ROWS = 3;

template <bool CURED>
__global__ void less_their_mean(const int* in, int* out) {
    __shared__ int buffer[THREADS / 32];
    const int t = int(threadIdx.x), lane = t % 32, warp = t / 32;
    for (int row = 0; row < ROWS; ++row) {
        const int value = in[row * THREADS + t];
        const int sum = __reduce_add_sync(ALL, value);
        if (lane == 0) buffer[warp] = sum;  // fault
        __syncthreads();
        if (t == 0) buffer[0] = (buffer[0] + buffer[1] + buffer[2] + buffer[3]) / THREADS;
        __syncthreads();
        out[row * THREADS + t] = value - buffer[0];  // fault
        if (CURED) __syncthreads();
    }
}

template <bool CURED>
std::string run() {
    return result_of(less_their_mean<CURED>, 1, THREADS, zeros(ROWS * THREADS), repeated(ROWS * THREADS, 7),
                     ones(ROWS * THREADS));
}

const Bench exhibit("shared memory again",
                    {{"apex_layer_norm", Expected::race, "no barrier before the next row", run<false>},
                     {"apex_layer_norm_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
