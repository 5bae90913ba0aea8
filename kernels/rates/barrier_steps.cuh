// What a step between barriers costs: two loads from shared memory, an addition, a store, a barrier, as in a
// step of a block scan. Two buffers, so that one barrier a step is enough.
//
//     from    a  b  c  d                    each word and the next one, in a circle
//     to      a+b  b+c  c+d  d+a
#pragma once
#include <cuda_runtime.h>

namespace trial {

namespace rates {

/// out: one value a thread, word threadIdx.x after 2 pairs steps; at first, word i is i.
template <int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS) step_between_barriers(T* out, int pairs, Op op) {
    __shared__ T from[THREADS], to[THREADS];
    const int own = threadIdx.x, next = own + 1 < THREADS ? own + 1 : 0;
    from[own] = T(own);
    __syncthreads();
    for (int p = 0; p < pairs; ++p) {
        to[own] = op(from[own], from[next]);
        __syncthreads();
        from[own] = op(to[own], to[next]);
        __syncthreads();
    }
    out[blockIdx.x * THREADS + own] = from[own];
}

}  // namespace rates

}  // namespace trial
