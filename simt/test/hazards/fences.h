// Fences by scope, for kernels that differ in a fence alone.
#pragma once
#include <cuda_runtime.h>

namespace hazards {

enum class Fence { none, block, device, system };

template <Fence FENCE>
__device__ void fence() {
    if (FENCE == Fence::block) __threadfence_block();
    if (FENCE == Fence::device) __threadfence();
    if (FENCE == Fence::system) __threadfence_system();
}

}  // namespace hazards
