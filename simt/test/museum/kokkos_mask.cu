// Kokkos, scalar_intra_warp_reduction (github.com/kokkos/kokkos/issues/1958): the mask of a part of the
// warp is shifted by the remainder of the lane's number, not by the quotient: a lane waits for another part
// than its own.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int WIDTH = 8;

template <bool CURED>
__global__ void sums_of_parts(const int* in, int* out) {
    __shared__ int sums[32];
    const int lane = int(threadIdx.x);
    const int part = CURED ? lane / WIDTH : lane % (32 / WIDTH);
    const unsigned mask = ((1u << WIDTH) - 1) << part * WIDTH;
    sums[lane] = in[lane];
    __syncwarp();
    for (int distance = 1; distance < WIDTH; distance *= 2) {
        if (lane % (2 * distance) == 0) sums[lane] += sums[lane + distance];
        __syncwarp(mask);  // fault
    }
    if (lane % WIDTH == 0) out[lane / WIDTH] = sums[lane];
}

template <bool CURED>
std::string run() {
    return outcome_of(sums_of_parts<CURED>, 1, 32, repeated(32 / WIDTH, WIDTH), ones(32), zeros(32 / WIDTH));
}

const Bench exhibit("masks", {{"kokkos_mask", Expected::divergent_warp, "lanes are not in their own mask",
                               run<false>, OnGpu::hangs},
                              {"kokkos_mask_cured", Expected::clean, "they are", run<true>}});

}  // namespace
