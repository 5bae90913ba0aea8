// Modern GPU, shfl_down (github.com/moderngpu/moderngpu/pull/36): after the move to __shfl_down_sync the
// value stands where the mask should. Likewise ChaNGa (github.com/N-BodyShop/changa/pull/37).
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

template <bool CURED>
__global__ void sum_of_warp(const int* in, int* out) {
    int sum = in[threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += CURED ? __shfl_down_sync(ALL, sum, distance)
                     : __shfl_down_sync(unsigned(sum), distance, 32);  // fault
    if (threadIdx.x == 0) *out = sum;
}

template <bool CURED>
std::string run() {
    return outcome_of(sum_of_warp<CURED>, 1, 32, {32}, ones(32), zeros(1));
}

const Bench exhibit("masks", {{"moderngpu_shuffle", Expected::divergent_warp, "a value is taken for the mask",
                               run<false>, OnGpu::hangs},
                              {"moderngpu_shuffle_cured", Expected::clean, "all are named", run<true>}});

}  // namespace
