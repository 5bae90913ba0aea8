// cuDNN frontend, DSA indexer backward (github.com/NVIDIA/cudnn-frontend/pull/426): all lanes of the load
// warp store, and one arrives at the mbarrier, which releases its own stores alone. Cured: all lanes meet
// before.
#include "kernels/fast/detail/bulk_copy.cuh"
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

template <bool CURED>
__global__ void hand_over(const int* in, int* out) {
    __shared__ int weights[32];
    __shared__ Mbarrier loaded;
    const int t = int(threadIdx.x), lane = t % 32;
    if (t == 0) loaded.init(1);
    if (t < 32) weights[lane] = 0;
    fence_mbarrier_init();
    __syncthreads();
    if (t < 32) {
        weights[lane] = in[lane];  // fault
        if (CURED) __syncwarp();
        if (lane == 0) loaded.arrive();
    } else {
        loaded.wait(0);
        out[lane] = weights[31 - lane];  // fault
    }
}

template <bool CURED>
std::string run() {
    return result_of(hand_over<CURED>, 1, 64, ones(32), ones(32), zeros(32));
}

const Bench exhibit("asynchronous copies",
                    {{"cudnn_one_lane", Expected::race, "one lane arrives for all", run<false>},
                     {"cudnn_one_lane_cured", Expected::clean, "__syncwarp before", run<true>}});

}  // namespace
