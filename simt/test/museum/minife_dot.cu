// miniFE, dot_kernel (github.com/Mantevo/miniFE/issues/13): "warp synchronous" levels in volatile shared
// memory, as they were written before Volta. Volatile keeps the compiler from holding sums in registers,
// and orders nothing.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 32;

template <bool CURED>
__global__ void sum_of_warp(const int* in, int* out) {
    __shared__ volatile int sums[2 * THREADS];
    const int t = int(threadIdx.x);
    int sum = in[t];
    sums[t] = sum;
    sums[t + THREADS] = 0;
    __syncthreads();
    for (int n = THREADS / 2; n > 0; n /= 2) {
        sum += sums[t + n];  // fault
        if (CURED) __syncwarp();
        sums[t] = sum;  // fault
        if (CURED) __syncwarp();
    }
    if (t == 0) *out = sum;
}

template <bool CURED>
std::string run() {
    return result_of(sum_of_warp<CURED>, 1, THREADS, {THREADS}, ones(THREADS), zeros(1));
}

const Bench exhibit("within a warp",
                    {{"minife_dot", Expected::race, "lanes do not run in lockstep", run<false>},
                     {"minife_dot_cured", Expected::clean, "__syncwarp between reads and writes",
                      run<true>}});

}  // namespace
