// Shared memory for one value of each warp, the same for every function of a kernel that asks for it.
#pragma once
#include <cuda_runtime.h>

namespace trial {

/// WARPS values of T, for those who name the same types. Uses must be separated by a block barrier.
template <int WARPS, class T, class... Named>
__device__ T (&sums_of_warps())[WARPS] {
    __shared__ T sums[WARPS];
    return sums;
}

}  // namespace trial
