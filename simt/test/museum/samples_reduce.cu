// NVIDIA's samples, reduce7 (github.com/NVIDIA/cuda-samples/issues/398): of a block of one warp the last
// sum is done by lane 0 alone, which shuffles with lanes that are not in its mask. What it gets is
// undefined.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

template <bool CURED>
__global__ void sum_of_warp(const int* in, int* out) {
    __shared__ int sums[1];
    const int t = int(threadIdx.x);
    const int sum = __reduce_add_sync(ALL, in[t]);
    if (t == 0) sums[0] = sum;
    __syncwarp();
    const unsigned mask = CURED ? ALL : __ballot_sync(ALL, t < 1);
    if (CURED || t < 1) {
        int all = t < 1 ? sums[t] : 0;
        for (int distance = 16; distance > 0; distance /= 2)
            all += __shfl_down_sync(mask, all, distance);  // fault
        if (t == 0) *out = all;
    }
}

template <bool CURED>
std::string run() {
    return outcome_of(sum_of_warp<CURED>, 1, 32, {32}, ones(32), zeros(1));
}

const Bench exhibit("masks", {{"samples_reduce", Expected::divergent_warp,
                               "lanes are asked that are not there", run<false>},
                              {"samples_reduce_cured", Expected::clean, "all come", run<true>}});

}  // namespace
