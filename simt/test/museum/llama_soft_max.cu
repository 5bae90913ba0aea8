// llama.cpp, soft_max_f32 (github.com/ggml-org/llama.cpp/pull/5853): the buffer that holds the maxima of
// warps is cleared for their sums while other warps still read the maxima.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128, WARPS = THREADS / 32;

template <bool CURED>
__global__ void sum_less_maximum(const int* in, int* out) {
    __shared__ int buffer[32];
    const int t = int(threadIdx.x), lane = t % 32, warp = t / 32;
    if (warp == 0) buffer[lane] = 0;
    __syncthreads();
    int maximum = __reduce_max_sync(ALL, in[t]);
    if (lane == 0) buffer[warp] = maximum;
    __syncthreads();
    maximum = __reduce_max_sync(ALL, buffer[lane]);  // fault
    if (CURED) __syncthreads();
    if (warp == 0) buffer[lane] = 0;  // fault
    __syncthreads();
    const int sum = __reduce_add_sync(ALL, maximum - in[t]);
    if (lane == 0) buffer[warp] = sum;
    __syncthreads();
    out[t] = __reduce_add_sync(ALL, buffer[lane]);
}

template <bool CURED>
std::string run() {
    return result_of(sum_less_maximum<CURED>, 1, THREADS, repeated(THREADS, THREADS * (THREADS - 1) / 2),
                     numbers(THREADS), zeros(THREADS));
}

const Bench exhibit("shared memory again",
                    {{"llama_soft_max", Expected::race, "no barrier before it is cleared", run<false>},
                     {"llama_soft_max_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
