// PyTorch, batch norm backward (github.com/pytorch/pytorch/pull/172554): threads without a column return
// before the block's barriers.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 64;

template <bool CURED>
__global__ void sum_of_columns(const int* in, int* out, int columns) {
    __shared__ int values[THREADS];
    const int t = int(threadIdx.x);
    if (!CURED && t >= columns) return;  // fault
    values[t] = t < columns ? in[t] : 0;
    __syncthreads();  // fault
    if (t > 0) return;
    int sum = 0;
    for (int i = 0; i < columns; ++i) sum += values[i];
    *out = sum;
}

template <bool CURED>
std::string run() {
    return outcome_of(sum_of_columns<CURED>, 1, THREADS, {40}, ones(THREADS), zeros(1), 40);
}

const Bench exhibit("barriers",
                    {{"pytorch_batch_norm", Expected::divergent_barrier, "threads end before it", run<false>},
                     {"pytorch_batch_norm_cured", Expected::clean, "all come", run<true>}});

}  // namespace
