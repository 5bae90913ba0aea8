// Reduction of a vector of any length in one launch: warps reduce chunks of it in registers, and the block
// that starts last combines the sums of the blocks.
//
//     warp          0           1           2           3           4           5         ..
//     its chunk   | b | b | b | b | b | b | b | b | b | b | b | b | b | b | b | b | ..       batches
//     a batch     ROWS rows of 32 vector units, one a lane and row; all loads are in flight together
//     block            0, drawn with 2 warps    1                       2
//     publishes        s0                       s1                      s2                   versioned words
//     ticket           second                   last                    first
//                                               *out = s0 + s1 + s2     polls for them
//
// One block alone reduces a short vector, without ticket and workspace.
//
// Nothing is combined out of order: a lane adds up each of its units, reduce_rows the lanes and rows of a
// batch, and a warp its batches, in sequence; the grouping depends on length and address alone. So the
// operator need not commute, and floats are bitwise reproducible. A block publishes its sum and exits; the
// last block to start can wait for all sums, because all other blocks have started. Compared with
// textbook/device/reduce_last_block, a sum crosses the L2 cache once; there the sum, the counter and the sums
// again cross it one after another. The ticket is in flight while the vector is read.
//
// Work n - 1, plus the redundant lane operations of reduce_rows. Bytes: n elements read, and one sum a block
// written and read. launches 1. Atomic operations: 1 a block. Bytes in flight: 16 ROWS a thread. By Little's
// law an H200 (4.8 TB/s, 132 multiprocessors, about 0.8 us) needs 29 KB on each multiprocessor: 450 threads
// with 4 rows, if they did nothing but wait.
//
// Source: Harris, "Optimizing parallel reduction in CUDA", 2007, "algorithm cascading"; bytes in flight:
// Volkov, "Better performance at lower occupancy", GTC 2010.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/call_result.cuh"
#include "kernels/fast/detail/warp_reduce.cuh"
#include "kernels/fast/detail/wide_vector.cuh"
#include "kernels/fast/detail/workspace.cuh"
#include "kernels/launch.cuh"
#include "kernels/tile.cuh"

/// THREADS: of a block, 32 .. 1,024. ROWS: vector units that a lane loads together, a power of two. BLOCKS:
/// at most; it determines the order of operations. RESIDENT_BLOCKS: blocks of a multiprocessor for which
/// registers must suffice. DESCENDING: the blocks that start first take the last chunks, so the front of the
/// vector is read last and is in the cache for the next kernel that reads it; chunks should then be short.
/// ONE_BLOCK_THREADS: of the largest block that reduces a short vector alone; 0: none does.
template <int THREADS_, int ROWS_, int BLOCKS_, int RESIDENT_BLOCKS_, bool DESCENDING_ = false>
struct WarpChunksPolicy {
    static constexpr int ONE_BLOCK_THREADS = 0;
    static constexpr bool DESCENDING = DESCENDING_;
    static constexpr int THREADS = THREADS_, ROWS = ROWS_, BLOCKS = BLOCKS_,
                         RESIDENT_BLOCKS = RESIDENT_BLOCKS_;
    static constexpr int WARPS = THREADS / 32;
};

/// 128 bytes a lane in flight, if a vector unit is one word. There are more blocks than can be resident, so a
/// multiprocessor does not run idle when a block ends. Share of a read's throughput, NVIDIA H200, 2^28
/// elements of 4 bytes, from benchmarks not in this repository:
///
///     threads x rows, blocks      512 x 8, 2,112: 0.985      256 x 8, 4,224: 0.98      256 x 4, 1,320: 0.95
///
/// For 2^18 elements, one call at a time, 14 shapes of 128 to 1,024 threads and 1 to 8 rows take 7.2 to 8.0
/// microseconds; an empty kernel takes 4.8 and CUB 10.1.
template <class T>
struct DefaultWarpChunks {
    static constexpr int WORDS = WideVector<T>::WORDS;
    static constexpr int ROWS = WORDS == 1 ? 8 : WORDS <= 3 ? 2 : 1;
    static constexpr int THREADS = 512, WARPS = THREADS / 32, BLOCKS = 16 * 132;
    static constexpr bool DESCENDING = false;
    static constexpr int RESIDENT_BLOCKS = WORDS == 1 ? 2 : 1;
    static constexpr int ONE_BLOCK_THREADS = WORDS <= 3 ? 1024 : 256;
};

/// `count` consecutive batches, cut into chunks of nearly equal size: one a warp, or one a batch.
struct EvenChunks {
    EvenChunks(long long count, long long warps)
        : chunks(std::min(count, warps)),
          size(chunks > 0 ? count / chunks : 0),
          larger(count - size * chunks) {}

    __device__ long long begin(long long chunk) const { return size * chunk + min(chunk, larger); }

    long long chunks;
    long long size, larger;  ///< batches of a chunk; chunks with one batch more
};

/// The published sums of the blocks, in batches of 32 ROWS.
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

/// The combined chunks of warps first .. first + WARPS - 1, in warp 0, if there are any. partial: one sum for
/// each warp, in shared memory. Called by all threads of the block.
template <int WARPS, class Batches, class T, class Op>
__device__ T reduce_chunks_of_block(const Batches& batches, const EvenChunks& chunks, long long first,
                                    T (&partial)[WARPS], Op op) {
    const long long chunk = first + threadIdx.x / 32, end = chunks.begin(chunk + 1);
    T sum = {};
    if (chunk < chunks.chunks) {
        for (long long batch = chunks.begin(chunk); batch < end; ++batch) {
            const T batch_sum = batches.reduce(batch);
            sum = batch == chunks.begin(chunk) ? batch_sum : op(sum, batch_sum);
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

/// The reduction of a short vector by one block: a batch of ROWS rows a warp, then the sums of the warps.
/// n >= 1. WHOLE: all batches are complete, so the code for incomplete ones, which would take longer to fetch
/// than to run, is left out. Block: a warp for each batch begun, at most THREADS threads.
template <int THREADS, int ROWS, bool WHOLE, class T, class Op>
__global__ void __launch_bounds__(THREADS) reduce_one_block(WideVector<T> in, T* out, Op op) {
    __shared__ T sums[THREADS / 32];
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const UnitBatches<ROWS, T, Op> batches = {in, op};
    T sum = WHOLE ? batches.reduce_whole(warp) : batches.reduce(warp);
    if (warps > 1) {
        if (threadIdx.x % 32 == 0) sums[warp] = sum;
        __syncthreads();
        if (warp > 0) return;
        T own[1] = {sums[min(static_cast<int>(threadIdx.x), warps - 1)]};
        sum = reduce_rows(own, warps, op);
    }
    if (threadIdx.x == 0) *out = sum;
}

/// *out = the neutral element.
template <class T, class Op>
__global__ void reduce_nothing(T* out) {
    *out = Op::identity();
}

/// chunks: of the batches of in, over the warps of all blocks. collected: of the batches of block sums, over
/// the warps of one block. Grid: one block of Policy::THREADS threads for every WARPS chunks begun.
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

    if (threadIdx.x == 0) {
        VersionedArray<T>(workspace, ticket.version()).write(number, sum);
        last = ticket.number() >= gridDim.x - 1;  // beyond only if calls overlap
        version = ticket.version();
    }
    __syncthreads();
    if (!last) return;

    const SumBatches<Policy::ROWS, T, Op> sums = {{workspace, version}, static_cast<int>(gridDim.x), op};
    const T total = reduce_chunks_of_block(sums, collected, 0, partial, op);
    if (threadIdx.x == 0) {
        *out = total;
        workspace.end_call(ticket, gridDim.x, gridDim.x * VersionedArray<T>::WORDS);
    }
}

template <class T, class Op, class Policy = DefaultWarpChunks<T>>
class WarpChunksReduction {
   public:
    /// Allocate the sums of the blocks, for vectors of any length. Does not throw; see status().
    WarpChunksReduction() : workspace_(bytes_for(0)) {}

    /// As that of Workspace.
    cudaError_t status() const { return workspace_.status(); }
    cudaError_t reset(cudaStream_t stream) { return workspace_.reset(stream); }

    /// *out = in[0] op .. op in[n - 1], n >= 0, on the device; the neutral element if n is 0. Op: any
    /// associative operator. Calls on one object must not overlap; a CUDA graph may capture them.
    CallResult operator()(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
        constexpr int WARPS = Policy::WARPS, BATCH = 32 * Policy::ROWS;
        const CallResult result = workspace_.check(n, bytes_for);
        if (result != CallResult::success) return result;
        if (n == 0) return result_of(launch(reduce_nothing<T, Op>, 1, 1, stream, out));
        const WideVector<T> vector(in, n);
        if constexpr (Policy::ONE_BLOCK_THREADS > 0) {
            if (vector.units() <= Policy::ONE_BLOCK_THREADS * Policy::ROWS)
                return one_block<Policy::ROWS>(vector, out, op, stream);
        }
        const EvenChunks chunks(ceil_div(vector.units(), BATCH), 1LL * Policy::BLOCKS * WARPS);
        const auto blocks = static_cast<unsigned>(ceil_div(chunks.chunks, WARPS));
        const EvenChunks collected(ceil_div(blocks, BATCH), WARPS);
        return result_of(launch(reduce_warp_chunks<Policy, T, Op>, blocks, Policy::THREADS, stream, vector,
                                out, chunks, collected, workspace_.words(), op));
    }

   private:
    static std::size_t bytes_for(long long) { return Workspace::bytes<T>(Policy::BLOCKS); }

    /// In batches of as few rows, from ROWS down to 2, as the warps of half of the largest block hold: more
    /// warps take fewer steps each.
    template <int ROWS>
    static CallResult one_block(const WideVector<T>& vector, T* out, Op op, cudaStream_t stream) {
        if constexpr (ROWS > 2)
            if (vector.units() <= Policy::ONE_BLOCK_THREADS / 2 * (ROWS / 2))
                return one_block<ROWS / 2>(vector, out, op, stream);
        constexpr int THREADS = Policy::ONE_BLOCK_THREADS;
        const auto warps = static_cast<unsigned>(ceil_div(vector.units(), 32 * ROWS));
        const bool whole = vector.is_whole() && vector.units() % (32 * ROWS) == 0;
        const auto kernel = whole ? reduce_one_block<THREADS, ROWS, true, T, Op>
                                  : reduce_one_block<THREADS, ROWS, false, T, Op>;
        return result_of(launch(kernel, 1, 32 * warps, stream, vector, out, op));
    }

    Workspace workspace_;
};
