// Reduction of a vector of any length in one launch: warps reduce shares of it in registers, and the block
// that began last collects the sums of the blocks.
//
//     warp          0           1           2           3           4           5         ..
//     its share   | b | b | b | b | b | b | b | b | b | b | b | b | b | b | b | b | ..       batches
//     a batch     ROWS rows of 32 units: one of 16 bytes a lane and row, all on their way at a time
//     block            0, with 2 warps here     1                       2
//     leaves           s0                       s1                      s2                   tagged words
//     ticket           second                   last                    first
//                                               *out = s0 + s1 + s2     waits for them
//
// Nothing is combined out of order: a lane adds up its units, fast/detail/reduce_rows the lanes and rows of a batch,
// a warp its batches one after another, and what belongs together depends on length and address alone. So no
// operator needs to commute, and floats give the same bits at every call. A block leaves its sum and ends;
// the last one to begin can wait for it, as all others have begun. Against textbook/device/reduce_last_block: the sum
// crosses the L2 cache once, where there the sum, the count and the sums again cross it one after another;
// and the ticket is on its way while the vector is read.
//
// Work n - 1, and what the lanes of a warp do over and over again: reduce_rows. Bytes: n elements read, and
// a sum a block written and read. launches 1. atomic operations: 1 a block. Bytes in flight: 16 ROWS a
// thread. By Little's law an H200 (4.8 TB/s, 132 multiprocessors, about 0.8 us) needs 29 KB on each: 450
// threads with 4 rows, if they did nothing but wait.
//
// Source: Harris, "Optimizing parallel reduction in CUDA", 2007, "algorithm cascading"; bytes in flight:
// Volkov, "Better performance at lower occupancy", GTC 2010.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/fast/detail/warp_reduce.cuh"
#include "kernels/fast/detail/wide_vector.cuh"
#include "kernels/fast/detail/workspace.cuh"
#include "kernels/launch.cuh"
#include "kernels/tile.cuh"

/// THREADS: of a block, 32 .. 1,024. ROWS: units that a lane reads at a time, a power of two. BLOCKS: at
/// most, and part of the result's order of operations. RESIDENT: blocks that registers must leave room for on
/// a multiprocessor. DESCENDING: blocks that begin first take the last shares, so that the front of the
/// vector is read last and is in the cache for whoever reads the vector next; for that shares should be
/// short.
template <int THREADS_, int ROWS_, int BLOCKS_, int RESIDENT_, bool DESCENDING_ = false>
struct WarpChunksPolicy {
    static constexpr bool DESCENDING = DESCENDING_;
    static constexpr int THREADS = THREADS_, ROWS = ROWS_, BLOCKS = BLOCKS_, RESIDENT_BLOCKS = RESIDENT_;
    static constexpr int WARPS = THREADS / 32;
};

/// 128 bytes a lane on their way, if a unit is one word. Each block is followed by others, so that none of
/// them is idle for long. By benchmarks that are not kept, on an NVIDIA H200, 2^28 elements of 4 bytes, of
/// the throughput of a read:
///
///     threads x rows, blocks      512 x 8, 2,112: 0.985      256 x 8, 4,224: 0.98      256 x 4, 1,320: 0.95
///
/// Of 2^18, a call at a time, 14 shapes of 128 to 1,024 threads and 1 to 8 rows take 7.2 to 8.0 microseconds,
/// where an empty kernel takes 4.8 and CUB 10.1.
template <class T>
struct DefaultWarpChunks {
    static constexpr int WORDS = WideVector<T>::WORDS;
    static constexpr int ROWS = WORDS == 1 ? 8 : WORDS <= 3 ? 2 : 1;
    static constexpr int THREADS = 512, WARPS = THREADS / 32, BLOCKS = 16 * 132;
    static constexpr bool DESCENDING = false;
    static constexpr int RESIDENT_BLOCKS = 1;
};

/// `count` batches in a row, cut into as many shares as there are warps, or batches, of nearly the same size.
struct EvenChunks {
    EvenChunks(long long count, long long warps)
        : chunks(std::min(count, warps)),
          size(chunks > 0 ? count / chunks : 0),
          larger(count - size * chunks) {}

    __device__ long long begin(long long chunk) const { return size * chunk + min(chunk, larger); }

    long long chunks;
    long long size, larger;  ///< of a share, and shares that have one batch more
};

/// Batches of 32 ROWS sums of blocks.
template <int ROWS, class T, class Op>
struct SumBatches {
    VersionedArray<T> published;
    int sums;
    Op op;

    __device__ T reduce(long long batch) const {
        const int first = static_cast<int>(batch) * 32 * ROWS;
        T values[ROWS];
        published.await(values, first, sums - 1);
        return reduce_rows(values, sums - first, op);
    }
};

/// The shares of warps first .. first + WARPS - 1 added up; warp 0 gets it, if there are any. partial: a sum
/// a warp, in shared memory. Called by all threads of the block.
template <int WARPS, class Batches, class T, class Op>
__device__ T reduce_chunks_of_block(const Batches& batches, const EvenChunks& chunks, long long first,
                                    T (&partial)[WARPS], Op op) {
    const long long chunk = first + threadIdx.x / 32, end = chunks.begin(chunk + 1);
    T sum = {};
    if (chunk < chunks.chunks) {
        for (long long batch = chunks.begin(chunk); batch < end; ++batch) {
            const T of_batch = batches.reduce(batch);
            sum = batch == chunks.begin(chunk) ? of_batch : op(sum, of_batch);
        }
        if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    const int warps = static_cast<int>(min(static_cast<long long>(WARPS), chunks.chunks - first));
    if (threadIdx.x < 32 && warps > 0) {
        T sums[1] = {partial[min(static_cast<int>(threadIdx.x), warps - 1)]};
        sum = reduce_rows(sums, warps, op);
    }
    return sum;
}

/// shares: of the batches of in, for the warps of all blocks; collected: of the batches of the blocks' sums,
/// for the warps of one. Grid: a block of Policy::THREADS threads for every WARPS shares begun; one if n is
/// 0.
template <class Policy, class T, class Op>
__global__ void __launch_bounds__(Policy::THREADS, Policy::RESIDENT_BLOCKS)
    reduce_warp_chunks(WideVector<T> in, T* out, EvenChunks chunks, EvenChunks collected,
                       VersionedWords workspace, Op op) {
    constexpr int WARPS = Policy::WARPS;
    __shared__ T partial[WARPS];
    __shared__ unsigned version;
    __shared__ bool last;

    Ticket ticket;
    if (threadIdx.x == 0) ticket = workspace.take_ticket();
    const unsigned number = Policy::DESCENDING ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const UnitBatches<Policy::ROWS, T, Op> batches = {in, op};
    const T sum = reduce_chunks_of_block(batches, chunks, 1LL * number * WARPS, partial, op);

    const bool alone = gridDim.x == 1;
    if (threadIdx.x == 0) {
        if (alone)
            *out = in.is_empty() ? Op::identity() : sum;
        else
            VersionedArray<T>(workspace, ticket.version()).write(number, sum);
        last = ticket.number() == gridDim.x - 1;
        version = ticket.version();
        if (alone) workspace.end_call(version, 0);
    }
    if (alone) return;
    __syncthreads();
    if (!last) return;

    const SumBatches<Policy::ROWS, T, Op> sums = {{workspace, version}, static_cast<int>(gridDim.x), op};
    const T total = reduce_chunks_of_block(sums, collected, 0, partial, op);
    if (threadIdx.x == 0) {
        *out = total;
        workspace.end_call(version, gridDim.x * VersionedArray<T>::WORDS);
    }
}

template <class T, class Op, class Policy = DefaultWarpChunks<T>>
class WarpChunksReduction {
   public:
    /// Make room for the sums of the blocks, whatever the length. Throws nothing; see status().
    WarpChunksReduction() : workspace_(Workspace::bytes<T>(Policy::BLOCKS + 32 * Policy::ROWS)) {}

    /// cudaSuccess, or why there is no room for the sums.
    cudaError_t status() const { return workspace_.status(); }

    /// *out = in[0] op .. op in[n - 1], n >= 0, on the device; the neutral element if n is 0. Op: any
    /// associative operator. Calls on one workspace must not overlap; a CUDA graph may capture them.
    void operator()(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
        constexpr int WARPS = Policy::WARPS, BATCH = 32 * Policy::ROWS;
        const WideVector<T> vector(in, n);
        const EvenChunks chunks(ceil_div(vector.units(), BATCH), 1LL * Policy::BLOCKS * WARPS);
        const auto blocks = static_cast<unsigned>(std::max(1LL, ceil_div(chunks.chunks, WARPS)));
        const EvenChunks collected(ceil_div(blocks, BATCH), WARPS);
        launch(reduce_warp_chunks<Policy, T, Op>, blocks, Policy::THREADS, stream, vector, out, chunks,
               collected, workspace_.words(), op);
    }

   private:
    Workspace workspace_;
};
