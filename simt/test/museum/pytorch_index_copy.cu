// PyTorch, IndexCopy (github.com/pytorch/pytorch/issues/2038): where an index comes twice, two threads
// write to one element, and which value stays is left to chance. Cured by who may write: the last of each
// index.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 64;

template <bool CURED>
__global__ void copy(const int* indices, const int* in, int* out) {
    const int t = int(threadIdx.x);
    bool writes = true;
    for (int later = t + 1; CURED && later < THREADS; ++later)
        writes = writes && indices[later] != indices[t];
    if (writes) out[indices[t]] = in[t];  // fault
}

template <bool CURED>
std::string run() {
    std::vector<int> indices = numbers(THREADS), expected = numbers(THREADS);
    indices[THREADS - 1] = 3;
    expected[3] = THREADS - 1;
    expected[THREADS - 1] = 0;
    return result_of(copy<CURED>, 1, THREADS, expected, indices, numbers(THREADS), zeros(THREADS));
}

const Bench exhibit("global memory of a block",
                    {{"pytorch_index_copy", Expected::race, "two writes to one element", run<false>},
                     {"pytorch_index_copy_cured", Expected::clean, "the last alone writes", run<true>}});

}  // namespace
