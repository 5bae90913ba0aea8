// Kokkos, parallel_reduce (github.com/kokkos/kokkos/pull/6630): one lane completes the result in shared
// memory, and others copy it to global memory without a __syncwarp.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int WORDS = 4;

template <bool CURED>
__global__ void finish(const int* in, int* out) {
    __shared__ int result[WORDS];
    const int lane = int(threadIdx.x);
    if (lane < WORDS) result[lane] = in[lane];
    __syncwarp();
    if (lane == 31)
        for (int word = 0; word < WORDS; ++word) result[word] *= 2;  // fault
    if (CURED) __syncwarp();
    if (lane < WORDS) out[lane] = result[lane];  // fault
}

template <bool CURED>
std::string run() {
    return result_of(finish<CURED>, 1, 32, repeated(WORDS, 2), ones(WORDS), zeros(WORDS));
}

const Bench exhibit("within a warp",
                    {{"kokkos_reduce", Expected::race, "no __syncwarp before the copy", run<false>},
                     {"kokkos_reduce_cured", Expected::clean, "__syncwarp", run<true>}});

}  // namespace
