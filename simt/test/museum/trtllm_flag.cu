// TensorRT-LLM, MNNVL all-reduce (github.com/NVIDIA/TensorRT-LLM/pull/8612): on Hopper blocks tell that
// they have come by a `red` without release, so that others may see the count before what they wrote.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int BLOCKS = 4;

template <bool RELEASES>
__device__ void arrive(unsigned* count) {
    if (RELEASES)
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(count) : "memory");
    else
        asm volatile("red.global.gpu.add.u32 [%0], 1;" ::"l"(count) : "memory");
}

__device__ unsigned arrived(const unsigned* count) {
    unsigned n = 0;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(n) : "l"(count) : "memory");
    return n;
}

template <bool CURED>
__global__ void sum_of_all(const int* in, int* parts, unsigned* count, int* out) {
    if (threadIdx.x > 0) return;
    parts[blockIdx.x] = in[blockIdx.x];  // fault
    arrive<CURED>(count);
    while (arrived(count) < gridDim.x) continue;
    int sum = 0;
    for (int b = 0; b < BLOCKS; ++b) sum += parts[b];  // fault
    out[blockIdx.x] = sum;
}

template <bool CURED>
std::string run() {
    return result_of(sum_of_all<CURED>, BLOCKS, 32, repeated(BLOCKS, BLOCKS), ones(BLOCKS), zeros(BLOCKS),
                     zeros<unsigned>(1), zeros(BLOCKS));
}

const Bench exhibit("fences", {{"trtllm_flag", Expected::race, "the arrival releases nothing", run<false>},
                               {"trtllm_flag_cured", Expected::clean, "it does", run<true>}});

}  // namespace
