// Copy of a vector by packs, the consecutive elements that one load of a thread reads: how wide is a load,
// and how many are in flight?
//
//     block      0                   1                   0                   a stride of the grid on
//     load       0         1         0         1         0         1         LOADS = 2
//     thread     0 1 2 3   0 1 2 3   0 1 2 3   0 1 2 3   0 1 2 3   0 1 2 3   THREADS = 4
//     pack       0 1 2 3   4 5 6 7   8 9 ..                                  WIDTH elements each
//
// A thread issues its LOADS loads before it stores the first pack, and loads no more until all have arrived.
// So a block has THREADS * LOADS packs in flight, and the blocks of a multiprocessor that many each. By
// Little's law, bytes in flight = latency * throughput: until these saturate the memory, twice the bytes in
// flight are twice the throughput, by wider packs, more loads or more blocks alike.
//
// n elements of b bytes: n / (32 WIDTH) load requests of a warp and as many stores, n b / 32 sectors of each
// whatever WIDTH is. launches 1.
// Source: Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA developer
// blog, 2013; bytes in flight: Volkov, "Better performance at lower occupancy", GTC 2010.
#pragma once
#include <cuda_runtime.h>

#include "kernels/textbook/device/reduce_items.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// held[k] = this thread's pack in row k of a full tile, whose rows have THREADS packs.
template <int THREADS, int LOADS, class Packed>
__device__ void load_packs(const Packed* tile, Packed (&held)[LOADS]) {
#pragma unroll
    for (int k = 0; k < LOADS; ++k) held[k] = tile[k * THREADS + threadIdx.x];
}

/// out[i] = in[i], 0 <= i < n, n >= 0; both are aligned to WIDTH elements and do not overlap. Grid: any
/// number of blocks of THREADS threads. The last tile, if it is not full, is copied a row
/// at a time; elements after the last pack one a thread.
template <int WIDTH, int LOADS, int THREADS, class T>
__global__ void __launch_bounds__(THREADS, blocks_to_fill(THREADS))
    copy_packs(const T* in, T* out, long long n) {
    static_assert(WIDTH <= THREADS, "the rest takes one element a thread");
    using Packed = Pack<T, WIDTH>;
    constexpr long long TILE = LOADS * THREADS;
    const auto* const from = reinterpret_cast<const Packed*>(in);
    auto* const to = reinterpret_cast<Packed*>(out);
    const long long packs = n / WIDTH;
    long long base = blockIdx.x * TILE;
#pragma unroll 1
    for (; base + TILE <= packs; base += gridDim.x * TILE) {
        Packed held[LOADS];
        load_packs<THREADS>(from + base, held);
#pragma unroll
        for (int k = 0; k < LOADS; ++k) to[base + k * THREADS + threadIdx.x] = held[k];
    }
#pragma unroll 1
    for (long long i = base + threadIdx.x; i < packs; i += THREADS) to[i] = from[i];

    const long long last = packs * WIDTH + threadIdx.x;
    if (blockIdx.x == 0 && last < n) out[last] = in[last];
}

}  // namespace trial
