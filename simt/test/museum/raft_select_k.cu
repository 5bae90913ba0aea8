// RAFT, radix select (github.com/NVIDIA/raft/pull/3041): thread 0 counts its block as finished while other
// threads of the block still add to the histogram, which the last block then reads. Likewise CUB's
// DeviceTopK (github.com/NVIDIA/cccl/pull/10627).
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 64, BLOCKS = 4, BINS = 8;

template <bool CURED>
__global__ void histogram_by_last(const int* in, int* histogram, unsigned* finished, int* out) {
    __shared__ bool last;
    const int t = int(threadIdx.x);
    atomicAdd(&histogram[in[int(blockIdx.x) * THREADS + t] % BINS], 1);  // fault
    if (CURED) __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicAdd(finished, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && t < BINS) out[t] = histogram[t];  // fault
}

template <bool CURED>
std::string run() {
    return result_of(histogram_by_last<CURED>, BLOCKS, THREADS, repeated(BINS, BLOCKS * THREADS / BINS),
                     numbers(BLOCKS * THREADS), zeros(BINS), zeros<unsigned>(1), zeros(BINS));
}

const Bench exhibit("last block", {{"raft_select_k", Expected::race,
                                    "no barrier before the block counts as done", run<false>},
                                   {"raft_select_k_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
