// Histogram by atomics: how many of n keys fall into each of b bins.
//
//     keys              3  1  3  3 | 0  3  1  3 | ..       b = 4: bins 1  2  0  5
//
//     an atomic         adds                               atomics on global memory
//     an element        1 to bins[key]                     n
//     a warp's key      how often the warp has the key     one for every different key among 32
//     a block's bin     the block's own count of the bin   at most b a block
//
// A warp finds its equal keys by one vote (MATCH); the lowest lane of those with a key adds for all. A block
// counts in shared memory, by n atomics there in all, and then merges its counts (privatisation). Fewer
// atomics are made only where keys repeat: within 32 for the warp, within a block's keys for the block.
//
// At most BLOCKS blocks, each with every BLOCKS-th tile of ITEMS THREADS keys. Bytes: n keys read. launches
// 1, and a memset.
// Source: Hwu, Kirk and El Hajj, "Parallel histogram", Programming Massively Parallel Processors, 4th ed.,
// chapter 9, 2022; in a warp: Adinetz, "Optimized filtering with warp-aggregated atomics", 2014.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "kernels/launch.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// For what one atomic on global memory adds.
enum class Counts { element, warp, block };

/// bins is 0 on entry; num_bins of them. Counts::block: as many words of dynamic shared memory. Grid: at most
/// ceil_div(n, ITEMS_PER_THREAD * THREADS) blocks of THREADS threads.
template <Counts COUNTS, int ITEMS_PER_THREAD, int THREADS>
__global__ void __launch_bounds__(THREADS)
    count_keys(const int* keys, unsigned* bins, int num_bins, long long n) {
    constexpr long long TILE = ITEMS_PER_THREAD * THREADS;
    extern __shared__ unsigned own_bins[];
    [[maybe_unused]] const unsigned lanes_below = (1u << threadIdx.x % 32) - 1;
    if constexpr (COUNTS == Counts::block) {
        for (int bin = threadIdx.x; bin < num_bins; bin += THREADS) own_bins[bin] = 0;
        __syncthreads();
    }
    for (long long base = blockIdx.x * TILE; base < n; base += gridDim.x * TILE) {
        int key[ITEMS_PER_THREAD];
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const long long i = base + threadIdx.x + k * THREADS;
            key[k] = i < n ? keys[i] : -1;
        }
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            if constexpr (COUNTS == Counts::element) {
                if (key[k] >= 0) atomicAdd(bins + key[k], 1u);
            } else if constexpr (COUNTS == Counts::warp) {
                const unsigned equal = __match_any_sync(ALL_LANES, key[k]);
                const bool is_lowest = (equal & lanes_below) == 0;
                if (key[k] >= 0 && is_lowest) atomicAdd(bins + key[k], static_cast<unsigned>(__popc(equal)));
            } else {
                if (key[k] >= 0) atomicAdd(own_bins + key[k], 1u);
            }
        }
    }
    if constexpr (COUNTS == Counts::block) {
        __syncthreads();
        for (int bin = threadIdx.x; bin < num_bins; bin += THREADS)
            if (own_bins[bin] != 0) atomicAdd(bins + bin, own_bins[bin]);
    }
}

/// bins[b] = how many of keys[0 .. n-1] are b, for 0 <= b < num_bins, n >= 0, on the device. Every key is one
/// of these. Counts::block: at most 12,288 bins, 48 KiB. Returns the launch error.
template <Counts COUNTS, int BLOCKS = 1024, int ITEMS_PER_THREAD = 16, int THREADS = 256>
cudaError_t histogram(const int* keys, unsigned* bins, int num_bins, long long n, cudaStream_t stream) {
    (void)cudaMemsetAsync(bins, 0, num_bins * sizeof(unsigned), stream);
    const long long tiles = ceil_div(n, ITEMS_PER_THREAD * THREADS);
    if (tiles == 0) return cudaSuccess;
    const std::size_t shared = COUNTS == Counts::block ? num_bins * sizeof(unsigned) : 0;
    return launch_with_shared_memory(count_keys<COUNTS, ITEMS_PER_THREAD, THREADS>,
                                     static_cast<unsigned>(std::min<long long>(BLOCKS, tiles)), THREADS,
                                     shared, stream, keys, bins, num_bins, n);
}

}  // namespace trial
