// nvFuser (github.com/NVIDIA/Fuser/issues/3428, cured by pull request 3438): one row of threads copies a
// vector by cp.async, and all read it after a barrier. Those who copied have not waited for the copy before
// the barrier.
#include <cuda_pipeline_primitives.h>

#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int X = 32, Y = 4;

template <bool CURED>
__global__ void scale_rows(const int* vector, const int* in, int* out) {
    __shared__ int factors[X], tile[X * Y];
    const int t = int(threadIdx.x), x = t % X, y = t / X;
    if (y == 0) factors[x] = 0;
    tile[t] = 0;
    __syncthreads();
    if (y == 0) {
        __pipeline_memcpy_async(&factors[x], &vector[x], sizeof(int));  // fault
        __pipeline_commit();
    }
    if (CURED) __pipeline_wait_prior(0);
    __syncthreads();
    __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = tile[t] * factors[x];  // fault
}

template <bool CURED>
std::string run() {
    return result_of(scale_rows<CURED>, 1, X * Y, repeated(X * Y, 3), repeated(X, 3), ones(X * Y),
                     zeros(X * Y));
}

const Bench exhibit("asynchronous copies",
                    {{"fuser_async_copy", Expected::race, "no wait before the barrier", run<false>},
                     {"fuser_async_copy_cured", Expected::clean, "a wait", run<true>}});

}  // namespace
