// FlashAttention, bwd_preprocess (github.com/Dao-AILab/flash-attention/pull/2481): a kernel of a
// programmatic dependent launch reads what the kernel before it writes without griddepcontrol.wait.
// Likewise llama.cpp (github.com/ggml-org/llama.cpp/pull/23690).
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int N = 64;

__global__ void first(int* between) {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    between[threadIdx.x] = 1;  // fault
}

template <bool CURED>
__global__ void second(const int* between, int* out) {
    if (CURED) asm volatile("griddepcontrol.wait;" ::: "memory");
    out[threadIdx.x] = between[threadIdx.x];  // fault
}

template <bool CURED>
std::string run() {
    Device<int> between(zeros(N)), out(zeros(N));
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(launch(first, 1, N, stream, between.data()));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = N;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    check(cudaLaunchKernelEx(&config, second<CURED>, static_cast<const int*>(between.data()), out.data()));
    check(cudaStreamSynchronize(stream));
    check(cudaStreamDestroy(stream));
    return difference(out.read(), ones(N));
}

const Bench exhibit("launches",
                    {{"flash_attention_dependent", Expected::race, "it does not wait", run<false>},
                     {"flash_attention_dependent_cured", Expected::clean, "it waits", run<true>}});

}  // namespace
