// llama.cpp, FlashAttention (github.com/ggml-org/llama.cpp/pull/13469): a barrier that cured a race (pull
// request 13438) is reached by a part of the warps, so that these wait at one barrier while others wait at
// the next.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128;

template <bool CURED>
__global__ void combine(const int* in, int* out) {
    __shared__ int tile[THREADS];
    const int t = int(threadIdx.x);
    const bool combines = t < THREADS / 2;
    tile[t] = in[t];
    __syncthreads();
    const int value = tile[THREADS - 1 - t];
    if (CURED || combines) __syncthreads();  // fault
    if (combines) tile[t] = 2 * value;
    __syncthreads();  // fault
    out[t] = combines ? tile[t] : value;
}

template <bool CURED>
std::string run() {
    std::vector<int> expected = ones(THREADS);
    for (int t = 0; t < THREADS / 2; ++t) expected[t] = 2;
    return outcome_of(combine<CURED>, 1, THREADS, expected, ones(THREADS), zeros(THREADS));
}

const Bench exhibit("barriers",
                    {{"llama_misaligned_barrier", Expected::divergent_barrier, "warps wait at two barriers",
                      run<false>},
                     {"llama_misaligned_barrier_cured", Expected::clean, "all wait at each", run<true>}});

}  // namespace
