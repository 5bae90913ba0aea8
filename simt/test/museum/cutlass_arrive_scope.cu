// CUTLASS, example 2cta_mma_blockscale_m128 (github.com/NVIDIA/cutlass/pull/3647): a block arrives at the
// mbarrier of the cluster's other block with a release whose scope is its own block, so that the other need
// not see what it has written. Cured by the scope of the cluster.
#include "kernels/fast/detail/bulk_copy.cuh"
#include "simt/test/hazards/cluster.h"
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

/// At the barrier of block 0.
template <bool OF_CLUSTER>
__device__ void arrive(Mbarrier& full) {
    unsigned far = 0;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(far) : "r"(shared_address(&full)));
    if (OF_CLUSTER)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(far) : "memory");
    else
        asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(far) : "memory");
}

__device__ void wait(Mbarrier& full) {
    unsigned over = 0;
    while (over == 0)
        asm volatile(
            "{\n\t.reg .pred over;\n\t"
            "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 over, [%1], 0;\n\t"
            "selp.b32 %0, 1, 0, over;\n\t}"
            : "=r"(over)
            : "r"(shared_address(&full))
            : "memory");
}

template <bool CURED>
__global__ void __cluster_dims__(2) hand_over(const int* in, int* out) {
    __shared__ int word;
    __shared__ Mbarrier full;
    if (threadIdx.x == 0) {
        word = 0;
        full.init(1);
    }
    fence_mbarrier_init();
    cluster().sync();
    if (threadIdx.x == 0 && blockIdx.x == 1) {
        word = *in;  // fault
        arrive<CURED>(full);
    } else if (threadIdx.x == 0) {
        wait(full);
        *out = *other(&word);  // fault
    }
    cluster().sync();
}

template <bool CURED>
std::string run() {
    return result_of(hand_over<CURED>, 2, 32, {42}, std::vector<int>{42}, zeros(1));
}

const Bench exhibit("fences",
                    {{"cutlass_arrive_scope", Expected::race, "released in the block's scope", run<false>},
                     {"cutlass_arrive_scope_cured", Expected::clean, "in the cluster's", run<true>}});

}  // namespace
