// FlashInfer, checkpointing_ssu (github.com/flashinfer-ai/flashinfer/pull/3439): each warp copies its rows
// by cp.async, waits and meets its lanes. All then read the rows of all warps, for which nobody has waited.
#include <cuda_pipeline_primitives.h>

#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128;

template <bool CURED>
__global__ void replay(const int* in, int* out) {
    __shared__ int state[THREADS];
    const int t = int(threadIdx.x);
    state[t] = 0;
    __syncthreads();
    __pipeline_memcpy_async(&state[t], &in[t], sizeof(int));  // fault
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (CURED)
        __syncthreads();
    else
        __syncwarp();
    out[t] = state[THREADS - 1 - t];  // fault
}

template <bool CURED>
std::string run() {
    return result_of(replay<CURED>, 1, THREADS, ones(THREADS), ones(THREADS), zeros(THREADS));
}

const Bench exhibit("asynchronous copies",
                    {{"flashinfer_state", Expected::race, "the warp alone meets", run<false>},
                     {"flashinfer_state_cured", Expected::clean, "the block meets", run<true>}});

}  // namespace
