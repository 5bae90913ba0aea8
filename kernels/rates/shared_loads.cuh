// What a wavefront of shared memory costs: loads of words that lie DEGREE apart from lane to lane.
//
//     lane       0    1    2  ..   31
//     word       k  k+D  k+2D  .. k+31D      DEGREE = D, a power of two: D words in each bank that is hit
//
// Loads: rounds LOADS requests a warp, of DEGREE wavefronts each.
#pragma once
#include <cuda_runtime.h>

namespace trial {

namespace rates {

inline constexpr int LOADS = 32, SUMS = 4;

/// Words of a tile that lanes 0 .. 31 read from, LOADS each.
template <int DEGREE>
inline constexpr int STRIDED_WORDS = 31 * DEGREE + LOADS;

/// What word w holds: small enough for exact sums.
__host__ __device__ constexpr int strided_word(int w) { return w % 8; }

/// out: one value a thread, rounds times the sum of its LOADS words. move: 0, which the compiler must not
/// know, or it would load once.
template <int DEGREE, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS) load_at_stride(T* out, int rounds, int move, Op op) {
    __shared__ T tile[STRIDED_WORDS<DEGREE>];
    for (int w = threadIdx.x; w < STRIDED_WORDS<DEGREE>; w += THREADS) tile[w] = T(strided_word(w));
    __syncthreads();

    const T* word = tile + DEGREE * (threadIdx.x % 32);
    T sum[SUMS] = {};
    for (int r = 0; r < rounds; ++r, word += move) {
#pragma unroll
        for (int k = 0; k < LOADS; ++k) sum[k % SUMS] = op(sum[k % SUMS], word[k]);
    }
    out[blockIdx.x * THREADS + threadIdx.x] = op(op(sum[0], sum[1]), op(sum[2], sum[3]));
}

}  // namespace rates

}  // namespace trial
