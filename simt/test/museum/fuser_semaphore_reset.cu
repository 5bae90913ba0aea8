// nvFuser, a proposed grid_sync::sync (github.com/NVIDIA/Fuser/pull/2081): so that it may be used again,
// the last block sets the semaphore back as soon as it has come. Those who still wait for its first bit
// never see it. The cure leaves it set.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int BLOCKS = 3;
constexpr unsigned FLIPPED = 0x80000000;

template <bool CURED>
__global__ void meet(unsigned* semaphore, int* out) {
    if (threadIdx.x > 0) return;
    const bool last = blockIdx.x == gridDim.x - 1;
    const unsigned before = atomicAdd(semaphore, last ? FLIPPED - (gridDim.x - 1) : 1u);
    while (((atomicAdd(semaphore, 0u) ^ before) & FLIPPED) == 0) continue;  // fault
    if (!CURED && last) atomicExch(semaphore, 0u);
    out[blockIdx.x] = 1;
}

template <bool CURED>
std::string run() {
    return outcome_of(meet<CURED>, BLOCKS, 32, ones(BLOCKS), zeros<unsigned>(1), zeros(BLOCKS));
}

const Bench exhibit("counters", {{"fuser_semaphore_reset", Expected::deadlock, "set back while others wait",
                                  run<false>, OnGpu::hangs},
                                 {"fuser_semaphore_reset_cured", Expected::clean, "it stays", run<true>}});

}  // namespace
