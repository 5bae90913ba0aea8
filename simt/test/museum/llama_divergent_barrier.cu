// llama.cpp, FlashAttention (github.com/ggml-org/llama.cpp/issues/27678, cured by pull request 27870): one
// warp of each group combines, with a barrier in its branch; the others have another one in theirs.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128, GROUP = 2;

template <bool CURED>
__global__ void combine(const int* in, int* out) {
    __shared__ int tile[THREADS];
    const int t = int(threadIdx.x);
    tile[t] = in[t];
    __syncthreads();
    int value = 0;
    if (t / 32 % GROUP == 0) {
        value = tile[t] + tile[t + 32];
        if (!CURED) __syncthreads();  // fault
    } else if (!CURED) {
        __syncthreads();  // fault
    }
    if (CURED) __syncthreads();
    tile[t] = value;
    __syncthreads();
    out[t] = tile[t / 64 * 64 + t % 32];
}

template <bool CURED>
std::string run() {
    return outcome_of(combine<CURED>, 1, THREADS, repeated(THREADS, 2), ones(THREADS), zeros(THREADS));
}

const Bench exhibit("barriers",
                    {{"llama_divergent_barrier", Expected::divergent_barrier, "a barrier in each branch",
                      run<false>},
                     {"llama_divergent_barrier_cured", Expected::clean, "one behind both", run<true>}});

}  // namespace
