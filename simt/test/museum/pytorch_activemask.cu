// PyTorch, countRadixUsingMask (github.com/pytorch/pytorch/issues/98157): lanes vote with __activemask() as
// the mask. Which lanes are active together is not defined, so counts of several votes may be taken for
// one.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int VALUES = 48;

template <bool CURED>
__global__ void count_ones(const int* in, int* out) {
    const int lane = int(threadIdx.x);
    int count = 0;
    for (int i = lane; CURED ? i - lane < VALUES : i < VALUES; i += 32) {
        const bool vote = i < VALUES && in[i] == 1;
        count += __popc(__ballot_sync(CURED ? ALL : __activemask(), vote));  // fault
    }
    if (lane == 0) *out = count;
}

template <bool CURED>
std::string run() {
    return outcome_of(count_ones<CURED>, 1, 32, {VALUES}, ones(VALUES), zeros(1));
}

const Bench exhibit("masks",
                    {{"pytorch_activemask", Expected::divergent_warp, "whoever is active is named",
                      run<false>},
                     {"pytorch_activemask_cured", Expected::clean, "all come, and are named", run<true>}});

}  // namespace
