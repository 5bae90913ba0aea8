// Sum of a vector of any length by atomics on one word: how many elements are added up before each.
//
//     elements    | x0 x1 x2 x3 x4 x5 x6 x7 | x8 ..      a tile of ITEMS THREADS elements for each block
//     thread        0  1  2  3  0  1  2  3    0  ..      coalesced; ITEMS loads, all before the first use
//
//     one atomic    adds                         atomics
//     an element    x0, x1, x2, ..               n
//     a thread      x0 + x4, x1 + x5, ..         n / ITEMS              in registers
//     a warp        the sum of its threads       n / (32 ITEMS)         log2 32 shuffles more
//     a block       the sum of its warps         n / (THREADS ITEMS)    shared memory, and a barrier
//     none          two launches: the second adds up the sums of the blocks; or the last block does
//
//     counters      *0   *1   *2   *3            block b adds to counter b mod COUNTERS; a second launch adds
//                    \____\____\____\___ out     them up. COUNTERS = 1: the atomics add to *out
//
// So the source says. Of 32-bit integers nvcc makes fewer: where it knows that all lanes of a warp add to one
// address, it adds up their values by one instruction (REDUX) and lets one lane add. Floats and 64-bit words
// it leaves alone. Adds::element_hidden is Adds::element at an address of which nvcc cannot know that.
//
// Sums of numbers only, in any order: integers are the same in every call (modulo 2^bits), floats may differ
// in their last bits, except by two launches or by the last block. Work n - 1, of which the atomics are a
// part. Bytes: n elements read. launches 1, and a memset; 2 with several counters, or without atomics.
// Source: Luitjens, "Faster parallel reductions on Kepler", 2014; Adinetz, "Optimized filtering with
// warp-aggregated atomics", 2014, both NVIDIA developer blog; the last block: as textbook/device/
// reduce_last_block.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/sums_of_warps.cuh"
#include "kernels/textbook/device/reduce_atomic.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// What one atomic adds.
enum class Adds { element, element_hidden, thread, warp, block };

/// The sum of a warp's values, in lane 0. Called by all lanes.
template <class T>
__device__ T sum_of_warp(T value) {
#pragma unroll
    for (int delta = 16; delta >= 1; delta /= 2) value += shuffle_down(value, delta);
    return value;
}

/// The sum of a block's values, in thread 0. Called by all THREADS threads of the block; calls must be
/// separated by a barrier.
template <int THREADS, class T>
__device__ T sum_of_block(T value) {
    constexpr int WARPS = THREADS / 32;
    static_assert(THREADS % 32 == 0 && WARPS <= 32, "whole warps, whose sums one warp adds up");
    T(&sums)[WARPS] = sums_of_warps<WARPS, T>();
    value = sum_of_warp(value);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) value = sum_of_warp(threadIdx.x < WARPS ? sums[threadIdx.x] : T(0));
    return value;
}

/// This thread's elements of the block's tile, those after the vector's end as 0.
template <int ITEMS_PER_THREAD, int THREADS, class T>
struct OwnElements {
    T values[ITEMS_PER_THREAD];
    long long first;  ///< the index of the first; THREADS apart

    __device__ OwnElements(const T* in, long long n)
        : first(blockIdx.x * static_cast<long long>(ITEMS_PER_THREAD * THREADS) + threadIdx.x) {
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) values[k] = at(k) < n ? in[at(k)] : T(0);
    }
    __device__ long long at(int k) const { return first + k * THREADS; }
    __device__ T sum() const {
        T sum = values[0];
#pragma unroll
        for (int k = 1; k < ITEMS_PER_THREAD; ++k) sum += values[k];
        return sum;
    }
};

/// Words between counters: 128 bytes, a line of the cache.
template <class T>
inline constexpr int COUNTERS_APART = 128 / sizeof(T);

/// counters[k * COUNTERS_APART] is 0 on entry, for k < num_counters. lane_step is 0. Grid: ceil_div(n,
/// ITEMS_PER_THREAD * THREADS) blocks of THREADS threads.
template <Adds ADDS, int ITEMS_PER_THREAD, int THREADS, class T>
__global__ void __launch_bounds__(THREADS)
    add_to_counters(const T* in, T* counters, int num_counters, long long n, int lane_step) {
    const OwnElements<ITEMS_PER_THREAD, THREADS, T> own(in, n);
    T* counter = counters + blockIdx.x % num_counters * COUNTERS_APART<T>;

    if constexpr (ADDS == Adds::element || ADDS == Adds::element_hidden) {
        if (ADDS == Adds::element_hidden) counter += lane_step * static_cast<int>(threadIdx.x % 32);
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k)
            if (own.at(k) < n) add_atomically(counter, own.values[k]);
    } else if constexpr (ADDS == Adds::thread) {
        if (own.first < n) add_atomically(counter, own.sum());
    } else if constexpr (ADDS == Adds::warp) {
        const T sum = sum_of_warp(own.sum());
        if (threadIdx.x % 32 == 0 && own.first < n) add_atomically(counter, sum);
    } else {
        const T sum = sum_of_block<THREADS>(own.sum());
        if (threadIdx.x == 0) add_atomically(counter, sum);
    }
}

/// sums[b] = the sum of tile b. Grid: as above.
template <int ITEMS_PER_THREAD, int THREADS, class T>
__global__ void __launch_bounds__(THREADS) sum_tiles(const T* in, T* sums, long long n) {
    const OwnElements<ITEMS_PER_THREAD, THREADS, T> own(in, n);
    const T sum = sum_of_block<THREADS>(own.sum());
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// The sum of sums[0], sums[step], .. sums[(count - 1) * step], in thread 0 of the block.
template <int THREADS, class T>
__device__ T add_up(const T* sums, int count, int step) {
    T sum = 0;
#pragma unroll 8
    for (int i = threadIdx.x; i < count; i += THREADS) sum += sums[i * step];
    return sum_of_block<THREADS>(sum);
}

/// *out = their sum. Grid: 1 block of THREADS threads.
template <int THREADS, class T>
__global__ void __launch_bounds__(THREADS) add_up_sums(const T* sums, T* out, int count, int step) {
    const T sum = add_up<THREADS>(sums, count, step);
    if (threadIdx.x == 0) *out = sum;
}

/// *out = the sum of all tiles, by the last block to finish. sums: one for each tile. done: 0 on entry and on
/// exit. Grid: as for sum_tiles; one block if n is 0.
template <int ITEMS_PER_THREAD, int THREADS, class T>
__global__ void __launch_bounds__(THREADS)
    sum_tiles_and_sums(const T* in, T* sums, unsigned* done, T* out, long long n) {
    __shared__ bool last;
    const OwnElements<ITEMS_PER_THREAD, THREADS, T> own(in, n);
    const T sum = sum_of_block<THREADS>(own.sum());
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();                                         // a block that sees the count sees the sum
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;  // wraps to 0 at the last block
        __threadfence();                                         // the sums are read after the count
    }
    __syncthreads();
    if (!last) return;
    const T total = add_up<THREADS>(sums, static_cast<int>(gridDim.x), 1);
    if (threadIdx.x == 0) *out = total;
}

/// By atomics. T: an integer of 4 or 8 bytes, float or double.
template <Adds ADDS, class T, int ITEMS_PER_THREAD = 16, int THREADS = 256>
class AggregatedReduction {
   public:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// num_counters >= 1. Throws nothing; see status().
    explicit AggregatedReduction(int num_counters = 1)
        : num_counters_(num_counters), counters_(num_counters > 1 ? num_counters * COUNTERS_APART<T> : 0) {}

    /// cudaSuccess, or why there is no room for the counters.
    cudaError_t status() const { return counters_.status(); }

    /// *out = in[0] + .. + in[n - 1], n >= 0, on the device. Calls on one object must not overlap.
    void operator()(const T* in, T* out, long long n, cudaStream_t stream) {
        const bool one = num_counters_ == 1;
        T* const counters = one ? out : counters_.data();
        (void)cudaMemsetAsync(counters, 0, sizeof(T) * (one ? 1 : num_counters_ * COUNTERS_APART<T>), stream);
        const auto blocks = static_cast<unsigned>(ceil_div(n, TILE));
        if (blocks > 0)
            launch(add_to_counters<ADDS, ITEMS_PER_THREAD, THREADS, T>, blocks, THREADS, stream, in, counters,
                   num_counters_, n, 0);
        if (!one)
            launch(add_up_sums<THREADS, T>, 1, THREADS, stream, static_cast<const T*>(counters), out,
                   num_counters_, COUNTERS_APART<T>);
    }

   private:
    int num_counters_;
    DeviceArray<T> counters_;
};

/// Without atomics on the sum: by a second launch, of one block of SECOND threads, or by the last block, for
/// which one atomic a block counts the blocks that have finished.
template <bool LAST_BLOCK, class T, int ITEMS_PER_THREAD = 16, int THREADS = 256, int SECOND = 1024>
class TileSumsReduction {
   public:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// Make room for the sums of up to `capacity` elements. Throws nothing; see status().
    explicit TileSumsReduction(long long capacity)
        : sums_(std::max(1LL, ceil_div(capacity, TILE))),
          done_(1),
          status_(first_error({sums_.status(), done_.status()})) {
        if (status_ == cudaSuccess) status_ = cudaMemset(done_.data(), 0, sizeof(unsigned));
        if (status_ == cudaSuccess) status_ = cudaDeviceSynchronize();  // before calls on any stream
    }

    /// cudaSuccess, or why there is no room for the sums.
    cudaError_t status() const { return status_; }

    /// *out = in[0] + .. + in[n - 1], 0 <= n <= capacity, on the device. Calls on one object must not
    /// overlap.
    void operator()(const T* in, T* out, long long n, cudaStream_t stream) {
        const auto blocks = static_cast<unsigned>(std::max(1LL, ceil_div(n, TILE)));
        if constexpr (LAST_BLOCK) {
            launch(sum_tiles_and_sums<ITEMS_PER_THREAD, THREADS, T>, blocks, THREADS, stream, in,
                   sums_.data(), done_.data(), out, n);
        } else {
            launch(sum_tiles<ITEMS_PER_THREAD, THREADS, T>, blocks, THREADS, stream, in, sums_.data(), n);
            launch(add_up_sums<SECOND, T>, 1, SECOND, stream, static_cast<const T*>(sums_.data()), out,
                   static_cast<int>(blocks), 1);
        }
    }

   private:
    DeviceArray<T> sums_;
    DeviceArray<unsigned> done_;
    cudaError_t status_;
};

}  // namespace trial
