// nvFuser, warp reduction (github.com/csarofeen/pytorch/issues/1579): warps whose threads are predicated
// off write no sum to shared memory, but the sums of all warps are added up.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128, WARPS = THREADS / 32;

template <bool CURED>
__global__ void sum_of_block(const int* in, int* out, int n) {
    __shared__ int sums[WARPS];
    const int t = int(threadIdx.x), lane = t % 32, warp = t / 32;
    const bool active = t < n;
    const int sum = __reduce_add_sync(ALL, active ? in[t] : 0);
    if ((CURED || active) && lane == 0) sums[warp] = sum;
    __syncthreads();
    if (t > 0) return;
    int all = 0;
    for (const int each : sums) all += each;  // fault
    *out = all;                               // fault
}

template <bool CURED>
std::string run() {
    return result_of(sum_of_block<CURED>, 1, THREADS, {50}, ones(THREADS), zeros(1), 50);
}

const Bench exhibit("initialisation",
                    {{"nvfuser_warp_reduce", Expected::uninitialised_read, "warps without work write no sum",
                      run<false>},
                     {"nvfuser_warp_reduce_cured", Expected::clean, "they write 0", run<true>}});

}  // namespace
