// CUB, BlockReduceRaking (github.com/NVIDIA/cccl/pull/2699): the grid of partial sums and the memory of the
// warp's reduction are one union, and a lane writes to the second while others read the first.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128, LANES = 32, SEGMENT = THREADS / LANES;

union Storage {
    int grid[THREADS];
    int warp[LANES];
};

template <bool CURED>
__global__ void sum_of_block(const int* in, int* out) {
    __shared__ Storage storage;
    const int t = int(threadIdx.x);
    storage.grid[t] = in[t];
    __syncthreads();
    if (t >= LANES) return;
    int sum = 0;
    for (int i = 0; i < SEGMENT; ++i) sum += storage.grid[t * SEGMENT + i];  // fault
    if (CURED) __syncwarp();
    storage.warp[t] = sum;  // fault
    __syncwarp();
    if (t > 0) return;
    int all = 0;
    for (const int each : storage.warp) all += each;
    *out = all;
}

template <bool CURED>
std::string run() {
    return result_of(sum_of_block<CURED>, 1, THREADS, {THREADS}, ones(THREADS), zeros(1));
}

const Bench exhibit("shared memory again", {{"cccl_raking", Expected::race,
                                             "two uses of a union, no __syncwarp between", run<false>},
                                            {"cccl_raking_cured", Expected::clean, "__syncwarp", run<true>}});

}  // namespace
