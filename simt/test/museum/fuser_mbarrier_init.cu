// nvFuser (github.com/NVIDIA/Fuser/pull/1769): threads arrive at an mbarrier that another one may not have
// initialised yet.
#include "kernels/fast/detail/bulk_copy.cuh"
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 64;

__device__ void arrive(Mbarrier& full) {
    const unsigned at = shared_address(&full);
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory");  // fault
}

template <bool CURED>
__global__ void reverse(const int* in, int* out) {
    __shared__ int tile[THREADS];
    __shared__ Mbarrier full;
    const int t = int(threadIdx.x);
    if (t == 0) full.init(THREADS);
    if (CURED) __syncthreads();
    tile[t] = in[t];
    arrive(full);
    full.wait(0);
    out[t] = tile[THREADS - 1 - t];
}

template <bool CURED>
std::string run() {
    return outcome_of(reverse<CURED>, 1, THREADS, ones(THREADS), ones(THREADS), zeros(THREADS));
}

const Bench exhibit("asynchronous copies",
                    {{"fuser_mbarrier_init", Expected::misuse, "no barrier after it", run<false>,
                      OnGpu::hangs},
                     {"fuser_mbarrier_init_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
