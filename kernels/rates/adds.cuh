// What issuing an instruction costs: additions in CHAINS chains a thread, so that none waits for another.
//
//     chain 0    0 + term + term + ..        a warp issues the next chain's addition
//     chain 1    1 + term + term + ..        while those of the others are under way
//
// Additions: of a thread, rounds UNROLLED CHAINS, and CHAINS - 1 for the total.
#pragma once
#include <cuda_runtime.h>

namespace trial {

namespace rates {

inline constexpr int CHAINS = 8, UNROLLED = 16;

/// Additions of a thread.
constexpr long long adds(int rounds) { return 1LL * rounds * UNROLLED * CHAINS + CHAINS - 1; }

/// out: one value a thread, CHAINS (CHAINS - 1) / 2 + rounds UNROLLED CHAINS term.
template <int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS) add_in_chains(T* out, T term, int rounds, Op op) {
    T chain[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) chain[c] = T(c);
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < UNROLLED * CHAINS; ++k) chain[k % CHAINS] = op(chain[k % CHAINS], term);
    }
#pragma unroll
    for (int c = 1; c < CHAINS; ++c) chain[0] = op(chain[0], chain[c]);
    out[blockIdx.x * THREADS + threadIdx.x] = chain[0];
}

}  // namespace rates

}  // namespace trial
