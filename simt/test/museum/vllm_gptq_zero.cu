// vLLM, GPTQ GEMM (github.com/vllm-project/vllm/pull/30719): the first block along k sets the output to
// zero, to which all blocks add. Its __syncthreads orders nothing between blocks.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int BLOCKS = 4, THREADS = 64;

template <bool CURED>
__global__ void add_products(const int* in, int* out) {
    const int t = int(threadIdx.x);
    if (!CURED && blockIdx.x == 0) out[t] = 0;  // fault
    __syncthreads();
    atomicAdd(&out[t], in[int(blockIdx.x) * THREADS + t]);  // fault
}

template <bool CURED>
std::string run() {
    return result_of(add_products<CURED>, BLOCKS, THREADS, repeated(THREADS, BLOCKS), ones(BLOCKS * THREADS),
                     zeros(THREADS));
}

const Bench exhibit("between blocks",
                    {{"vllm_gptq_zero", Expected::race, "a block clears what others add to", run<false>},
                     {"vllm_gptq_zero_cured", Expected::clean, "it was cleared before", run<true>}});

}  // namespace
