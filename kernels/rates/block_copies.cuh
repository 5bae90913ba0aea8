// What a block costs that loads a tile, waits and stores it, with no work between: from the start of one
// block to the start of the next in its place. Dynamic shared memory that it does not use limits how many are
// resident.
#pragma once
#include <cuda_runtime.h>

namespace trial {

namespace rates {

/// out[i] = in[i], a block for every THREADS elements.
template <int THREADS, class T>
__global__ void __launch_bounds__(THREADS) copy_by_blocks(const T* in, T* out) {
    __shared__ T tile[THREADS];
    const long long i = 1LL * blockIdx.x * THREADS + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x];
}

}  // namespace rates

}  // namespace trial
