// Kokkos, parallel_scan (github.com/kokkos/kokkos/issues/2681): blocks write their totals and count
// themselves as done without a __threadfence between.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int BLOCKS = 4;

template <bool CURED>
__global__ void scan_of_totals(const int* in, int* totals, unsigned* done, int* out) {
    __shared__ bool last;
    const int sum = __reduce_add_sync(ALL, in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x == 0) {
        totals[blockIdx.x] = sum;  // fault
        if (CURED) __threadfence();
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncwarp();
    if (!last || threadIdx.x > 0) return;
    int before = 0;
    for (int b = 0; b < BLOCKS; ++b) {
        before += totals[b];  // fault
        out[b] = before;
    }
}

template <bool CURED>
std::string run() {
    return result_of(scan_of_totals<CURED>, BLOCKS, 32, {32, 64, 96, 128}, ones(BLOCKS * 32), zeros(BLOCKS),
                     zeros<unsigned>(1), zeros(BLOCKS));
}

const Bench exhibit("last block",
                    {{"kokkos_scan_fence", Expected::race, "no fence before the count", run<false>},
                     {"kokkos_scan_fence_cured", Expected::clean, "a fence", run<true>}});

}  // namespace
