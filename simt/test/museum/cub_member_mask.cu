// CUB, WarpScanShfl (github.com/NVIDIA/cub/issues/154): parts of eight lanes scan in a loop that each
// leaves when it is done, but their shuffles name the whole warp.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int WIDTH = 8;

template <bool CURED>
__global__ void scan_in_loop(const int* in, int* out) {
    const int lane = int(threadIdx.x), part = lane / WIDTH;
    const unsigned mask = CURED ? ((1u << WIDTH) - 1) << part * WIDTH : ALL;
    int value = in[lane];
    for (int trip = 0; trip <= part; ++trip) {
        const int other = __shfl_up_sync(mask, value, 1, WIDTH);  // fault
        if (lane % WIDTH > 0) value += other;
    }
    out[lane] = value;
}

template <bool CURED>
std::string run() {
    return outcome_of(scan_in_loop<CURED>, 1, 32, {1, 2, 2, 2, 2, 2, 2, 2, 1, 3}, ones(32), zeros(32));
}

const Bench exhibit("masks", {{"cub_member_mask", Expected::divergent_warp, "parts are named that have left",
                               run<false>},
                              {"cub_member_mask_cured", Expected::clean, "each names itself", run<true>}});

}  // namespace
