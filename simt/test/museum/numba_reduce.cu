// Numba, Reduce (github.com/numba/numba/pull/6127): the last five levels of a sum rely on the lanes of a
// warp seeing one another's writes, which since Volta they need not.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 64;

template <bool CURED>
__global__ void sum_of_block(const int* in, int* out) {
    __shared__ int partial[THREADS];
    const int t = int(threadIdx.x);
    partial[t] = in[t];
    __syncthreads();
    if (t >= 32) return;
    for (int n = 32; n > 0; n /= 2) {
        if (t < n) partial[t] += partial[t + n];  // fault
        if (CURED) __syncwarp();
    }
    if (t == 0) *out = partial[0];
}

template <bool CURED>
std::string run() {
    return result_of(sum_of_block<CURED>, 1, THREADS, {THREADS}, ones(THREADS), zeros(1));
}

const Bench exhibit("within a warp",
                    {{"numba_reduce", Expected::race, "lanes do not run in lockstep", run<false>},
                     {"numba_reduce_cured", Expected::clean, "__syncwarp after each level", run<true>}});

}  // namespace
