// MXNet, spatial transformer (github.com/apache/mxnet/pull/11806): threads add to the gradients of pixels,
// several of them to one, without atomics.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 64, BLOCKS = 2, PIXELS = 32;

template <bool CURED>
__global__ void add_gradients(const int* targets, int* gradients) {
    const int pixel = targets[blockIdx.x * THREADS + threadIdx.x];
    if (CURED)
        atomicAdd(&gradients[pixel], 1);
    else
        gradients[pixel] += 1;  // fault
}

template <bool CURED>
std::string run() {
    std::vector<int> targets;
    for (int i = 0; i < BLOCKS * THREADS; ++i) targets.push_back(7 * i % PIXELS);
    return result_of(add_gradients<CURED>, BLOCKS, THREADS, repeated(PIXELS, BLOCKS * THREADS / PIXELS),
                     targets, zeros(PIXELS));
}

const Bench exhibit("between blocks",
                    {{"mxnet_transformer", Expected::race, "sums without atomics", run<false>},
                     {"mxnet_transformer_cured", Expected::clean, "atomics", run<true>}});

}  // namespace
