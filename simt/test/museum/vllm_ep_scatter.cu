// vLLM, ep_scatter (github.com/vllm-project/vllm/pull/34991): every block writes all offsets to global
// memory, a thread each, and thread 0 reads one back without a barrier. In the cure a block writes its own,
// from a register.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int EXPERTS = 64;

template <bool CURED>
__global__ void scatter(const int* counts, int* starts, int* out) {
    __shared__ int own;
    const int t = int(threadIdx.x), expert = int(blockIdx.x);
    int start = 0;
    for (int i = 0; i < t; ++i) start += counts[i];
    if (CURED) {
        if (t == expert) own = starts[t] = start;
        __syncthreads();
        if (t == 0) out[expert] = own;
    } else {
        starts[t] = start;                         // fault
        if (t == 0) out[expert] = starts[expert];  // fault
    }
}

template <bool CURED>
std::string run() {
    return result_of(scatter<CURED>, EXPERTS, EXPERTS, numbers(EXPERTS), ones(EXPERTS), zeros(EXPERTS),
                     zeros(EXPERTS));
}

const Bench exhibit("global memory of a block",
                    {{"vllm_ep_scatter", Expected::race, "no barrier before it is read", run<false>},
                     {"vllm_ep_scatter_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
