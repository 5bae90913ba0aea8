// Kokkos, atomics by locks (github.com/kokkos/kokkos/issues/3038, cured by pull request 3208): a value of
// more than 64 bits is updated under a lock, without fences between the lock and the value.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int BLOCKS = 4;

struct Wide {
    int parts[4];
};

template <bool CURED>
__global__ void add_wide(int* lock, int* sums) {
    if (threadIdx.x > 0) return;
    Wide* sum = reinterpret_cast<Wide*>(sums);
    while (atomicExch(lock, 1) != 0) continue;
    if (CURED) __threadfence();
    for (int& part : sum->parts) part += 1;  // fault
    if (CURED) __threadfence();
    atomicExch(lock, 0);
}

template <bool CURED>
std::string run() {
    return result_of(add_wide<CURED>, BLOCKS, 32, repeated(4, BLOCKS), zeros(1), zeros(4));
}

const Bench exhibit("fences", {{"kokkos_lock", Expected::race, "no fences", run<false>},
                               {"kokkos_lock_cured", Expected::clean,
                                "one after it is taken, one before it is "
                                "given back",
                                run<true>}});

}  // namespace
