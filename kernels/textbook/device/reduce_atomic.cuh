// Sum of a vector of any length in one launch; atomics add up the sums of the blocks.
//
//     thread       0   1   2   3   0   1   2   3   0   1   2   3       of BLOCKS THREADS threads
//     elements     x0  x1  x2  x3  x4  x5  x6  x7  x8  x9 x10 x11 ..   coalesced, at a stride of the grid
//                   \___\___\___\__ /___/___/___/
//     each block                sum of its threads: halving tree
//                                |
//     all blocks                 *out += sum                           in any order
//
// Sums of numbers only: the elements of a block are not consecutive and the blocks add in the order in which
// they finish, so the operator must commute and the hardware must have an atomic for it. An integer sum is
// the same in every call (modulo 2^bits); a float sum may differ in its last bits from run to run, because
// float addition is not associative.
//
// Work n - blocks, plus one atomic addition a block, all to one address. Bytes: n elements read. launches 1,
// and a memset.
// Source: Harris, "Optimizing parallel reduction in CUDA", 2007; Luitjens, "Faster parallel reductions on
// Kepler", NVIDIA developer blog, 2014.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Atomic *to += value. CUDA lacks this addition for signed 64-bit integers; the unsigned one is the same.
template <class T>
__device__ void add_atomically(T* to, T value) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
        atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
    else
        atomicAdd(to, value);
}

/// *out is 0 on entry. Grid: at most ceil_div(n, THREADS) blocks of THREADS threads, so that all have
/// elements.
template <int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS) add_block_sums(const T* in, T* out, long long n, Op op) {
    __shared__ T tile[THREADS];
    const long long first = blockIdx.x * static_cast<long long>(THREADS);
    const long long i = first + threadIdx.x, stride = gridDim.x * static_cast<long long>(THREADS);
    if (i < n) {
        T sum = in[i];
#pragma unroll 8
        for (long long next = i + stride; next < n; next += stride) sum = op(sum, in[next]);
        tile[threadIdx.x] = sum;
    }
    __syncthreads();

    const int sums = static_cast<int>(min(static_cast<long long>(THREADS), n - first));
    ReduceTree<Threads::halving>::reduce<THREADS, THREADS, Plain>(tile, sums, op);
    if (threadIdx.x == 0) add_atomically(out, tile[0]);
}

/// *out = in[0] + .. + in[n - 1], n >= 0, on the device. T: an integer of 4 or 8 bytes, float or double. Op:
/// Sum<T>, or a class derived from it that counts additions.
template <int BLOCKS = 1024, int THREADS = 256, class T, class Op>
void reduce_atomic(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
    static_assert(std::is_base_of_v<Sum<T>, Op>, "atomics can only add");
    static_assert(std::is_arithmetic_v<T> && sizeof(T) >= 4, "no atomic addition for this type");
    (void)cudaMemsetAsync(out, 0, sizeof(T), stream);
    const auto blocks = static_cast<unsigned>(std::min<long long>(BLOCKS, ceil_div(n, THREADS)));
    if (blocks > 0) launch(add_block_sums<THREADS, T, Op>, blocks, THREADS, stream, in, out, n, op);
}

}  // namespace trial
