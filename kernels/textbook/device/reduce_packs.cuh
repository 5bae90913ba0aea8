// Sum of a vector by packs, the consecutive elements that one load of a thread reads; atomics add up the sums
// of the blocks.
//
//     load         0             | 1                 then again, a stride of the grid on
//     thread       0   1   2   3 | 0   1   2   3     drawn with LOADS = 2
//     pack         p0  p1  p2  p3| p4  p5  p6  p7    WIDTH elements each, as in copy_packs
//                   \___\___\___\|_/___/___/___/
//     each thread  adds the elements of its packs    once all LOADS loads are issued
//     each block   sum of its threads: halving tree
//     all blocks   *out += sum                       in any order
//
// Reads alone, so that bytes in flight are those of loads; see copy_packs. As in reduce_atomic the operator
// must commute, and a float sum may differ in its last bits from run to run.
//
// n elements of b bytes: n / (32 WIDTH) load requests of a warp, n b / 32 sectors whatever WIDTH is. Each
// thread starts from zero: work n + blocks * (THREADS - 1), plus one atomic addition a block. launches 1, and
// a memset.
// Source: Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA developer
// blog, 2013; Harris, "Optimizing parallel reduction in CUDA", 2007, kernel 7.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/index_maps.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/device/copy_packs.cuh"
#include "kernels/textbook/device/reduce_atomic.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// sum op the elements of a pack, from left to right.
template <class T, int WIDTH, class Op>
__device__ T add_pack(T sum, Pack<T, WIDTH> pack, Op op) {
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) sum = op(sum, pack.values[j]);
    return sum;
}

/// *out += in[0] + .. + in[n - 1], n >= 0; in is aligned to WIDTH elements. Op: Sum<T>. Grid: any number of
/// blocks of THREADS threads.
template <int WIDTH, int LOADS, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS, blocks_to_fill(THREADS))
    add_packs(const T* in, T* out, long long n, Op op) {
    static_assert(std::is_base_of_v<Sum<T>, Op>, "atomics can only add, and threads start from zero");
    static_assert(WIDTH <= THREADS, "the rest takes one element a thread");
    constexpr long long TILE = LOADS * THREADS;
    __shared__ T partial[THREADS];
    using Packed = Pack<T, WIDTH>;
    const auto* const packed = reinterpret_cast<const Packed*>(in);
    const long long packs = n / WIDTH;
    T sum = {};
    long long base = blockIdx.x * TILE;
#pragma unroll 1
    for (; base + TILE <= packs; base += gridDim.x * TILE) {
        Packed held[LOADS];
        load_packs<THREADS>(packed + base, held);
#pragma unroll
        for (int k = 0; k < LOADS; ++k) sum = add_pack(sum, held[k], op);
    }
#pragma unroll 1
    for (long long i = base + threadIdx.x; i < packs; i += THREADS) sum = add_pack(sum, packed[i], op);

    const long long last = packs * WIDTH + threadIdx.x;
    if (blockIdx.x == 0 && last < n) sum = op(sum, in[last]);
    partial[threadIdx.x] = sum;
    __syncthreads();
    ReduceTree<Threads::halving>::reduce<THREADS, THREADS, Plain>(partial, FullTile<THREADS>{}, op);
    if (threadIdx.x == 0) add_atomically(out, partial[0]);
}

}  // namespace trial
