// TileLang (github.com/tile-ai/tilelang/issues/1026): the compiler inserts a barrier where one lane of two
// comes.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 32;

template <bool CURED>
__global__ void swap(const int* in, int* out) {
    __shared__ int shared[THREADS];
    const int t = int(threadIdx.x);
    shared[t] = in[t];
    __syncthreads();
    const int value = shared[t];
    if (CURED) __syncthreads();
    if (t % 2 == 0) {
        if (!CURED) __syncthreads();  // fault
        shared[t ^ 1] = value;        // fault
    }
    __syncthreads();     // fault
    out[t] = shared[t];  // fault
}

template <bool CURED>
std::string run() {
    std::vector<int> expected;
    for (int t = 0; t < THREADS; ++t) expected.push_back(t / 2 * 2);
    return outcome_of(swap<CURED>, 1, THREADS, expected, numbers(THREADS), zeros(THREADS));
}

const Bench exhibit("barriers", {{"tilelang_barrier", Expected::divergent_barrier, "even lanes alone come",
                                  run<false>, OnGpu::hangs},
                                 {"tilelang_barrier_cured", Expected::clean, "all come", run<true>}});

}  // namespace
