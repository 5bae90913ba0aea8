// llama.cpp, FlashAttention for vectors (github.com/ggml-org/llama.cpp/pull/13742): each warp looks through
// the mask in shared memory and skips a step if all of it is masked. It then writes the next step's mask
// while others still look through this one.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128, STEPS = 4;

template <bool CURED>
__global__ void sum_of_steps(const int* masks, int* out) {
    __shared__ int mask[THREADS];
    const int t = int(threadIdx.x), lane = t % 32;
    int sum = 0;
    for (int step = 0; step < STEPS; ++step) {
        mask[t] = masks[step * THREADS + t];  // fault
        __syncthreads();                      // fault
        int any = 0;
        for (int i = lane; i < THREADS; i += 32) any |= mask[i];  // fault
        if (__all_sync(ALL, any == 0)) {
            if (CURED) __syncthreads();
            continue;
        }
        sum += mask[THREADS - 1 - t];  // fault
        __syncthreads();               // fault
    }
    out[t] = sum;
}

template <bool CURED>
std::string run() {
    std::vector<int> masks = zeros(STEPS * THREADS);
    for (int t = 0; t < THREADS; ++t) masks[2 * THREADS + t] = 1;
    return result_of(sum_of_steps<CURED>, 1, THREADS, ones(THREADS), masks, zeros(THREADS));
}

const Bench exhibit("shared memory again",
                    {{"llama_mask_skip", Expected::race, "no barrier on the path that skips", run<false>},
                     {"llama_mask_skip_cured", Expected::clean, "a barrier there, too", run<true>}});

}  // namespace
