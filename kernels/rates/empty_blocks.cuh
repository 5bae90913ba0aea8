// What starting a block costs: blocks that do nothing.
#pragma once
#include <cuda_runtime.h>

namespace trial {

namespace rates {

template <int THREADS>
__global__ void __launch_bounds__(THREADS) do_nothing() {}

}  // namespace rates

}  // namespace trial
