// Totals of segments without a pass over all tiles: a group of warps a segment, blocks for the long ones.
//
//     block          0   1   2   3   ..                 pieces - 1 | pieces  ..
//     takes          a piece of PIECE elements, by ticket          | a segment, or WARPS of them
//     a piece        of the segment that began before it: a part   | if it is not long: its total
//                    of the segment that goes on after it: another |
//     long segment     | tail |  head   |  head   | head |         longer than a piece
//                         published ........ the last one waits for those before, and combines them
//
// Most pieces meet no long segment and end at once. Only the last part of a long segment waits, for pieces
// of lower tickets, so blocks may run in any order. The time depends little on how the vector is cut: no
// block goes through more than a few thousand elements.
//
// A batch: ROWS rows of 32 elements a warp, adjacent lanes adjacent elements, all loads in flight together.
// Work: n - 1, plus the redundant lane operations of reduce_rows. Bytes: elements and offsets read once,
// results written once. launches 1.
// Source: Bell and Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented
// processors", SC 2009 (a warp a row); parts of long rows: Merrill and Garland, "Merge-based parallel sparse
// matrix-vector multiplication", SC 2016, in the place of their merge by pieces of fixed length.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/detail/flags.cuh"
#include "kernels/fast/detail/warp_reduce.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/tile.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

template <class In, class Out, class Offsets, class V, class Op>
struct SegmentTask {
    using Value = V;
    In in;
    Out out;
    Offsets offsets;
    long long n, segments;
    Op op;
    Prefix<V> start;
    V empty;

    __device__ long long offset(long long segment) const { return static_cast<long long>(offsets[segment]); }
    __device__ void put(long long segment, const V& total) const {
        out[segment] = start.exists ? op(start.value, total) : total;
    }
};

/// Elements begin .. end - 1, combined, by a warp; at least one.
template <int ROWS, class Task>
__device__ typename Task::Value total_by_warp(const Task& task, long long begin, long long end) {
    using V = typename Task::Value;
    const int lane = threadIdx.x % 32;
    V total = {};
    for (long long first = begin; first < end; first += 32 * ROWS) {
        V values[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; ++k)
            values[k] = static_cast<V>(task.in[min(first + 32 * k + lane, end - 1)]);
        const int count = static_cast<int>(min(end - first, static_cast<long long>(32 * ROWS)));
        const V batch = reduce_rows(values, count, task.op);
        total = first == begin ? batch : task.op(total, batch);
    }
    return total;
}

/// The same by all warps of a block, each a chunk of batches; the result is warp 0's. partial: in shared
/// memory, not in use. Has one barrier.
template <int ROWS, int WARPS, class Task>
__device__ typename Task::Value total_by_block(const Task& task, long long begin, long long end,
                                               typename Task::Value (&partial)[WARPS]) {
    using V = typename Task::Value;
    constexpr int BATCH = 32 * ROWS;
    const int warp = threadIdx.x / 32;
    const long long chunk = ceil_div(ceil_div(end - begin, BATCH), WARPS) * BATCH,
                    first = begin + warp * chunk;
    V total = {};
    if (first < end) {
        total = total_by_warp<ROWS>(task, first, min(end, first + chunk));
        if (threadIdx.x % 32 == 0) partial[warp] = total;
    }
    __syncthreads();
    const int warps = static_cast<int>(ceil_div(end - begin, static_cast<int>(chunk)));
    if (warp == 0 && warps > 1) {
        V sums[1] = {partial[min(static_cast<int>(threadIdx.x), warps - 1)]};
        total = reduce_rows(sums, warps, task.op);
    }
    return total;
}

/// piece: elements of one, and of the longest segment that is not long. Grid: a block for each of `pieces`
/// pieces, then one for each SEGMENTS segments begun; pieces is 0 if n <= piece.
template <int WARPS, int SEGMENTS, int ROWS, class Task>
__global__ void __launch_bounds__(32 * WARPS, SEGMENTS == 1 ? 5 : 6)
    total_segments(const __grid_constant__ Task task, int piece, unsigned pieces,
                   const __grid_constant__ VersionedWords workspace) {
    using V = typename Task::Value;
    static_assert(SEGMENTS == 1 || SEGMENTS == WARPS, "a block a segment, or a warp a segment");
    __shared__ V partial[WARPS];
    __shared__ Ticket taken;
    __shared__ long long segment_at[2];
    const int warp = threadIdx.x / 32;

    if (blockIdx.x >= pieces) {
        const long long block = static_cast<long long>(blockIdx.x) - pieces;
        const long long segment = block * SEGMENTS + (SEGMENTS > 1 ? warp : 0);
        if (segment >= task.segments) return;
        const long long begin = task.offset(segment), end = task.offset(segment + 1);
        if (end - begin > piece) return;
        const bool writes = SEGMENTS > 1 ? threadIdx.x % 32 == 0 : threadIdx.x == 0;
        if (begin == end) {
            if (writes) task.out[segment] = task.empty;
            return;
        }
        V total;
        if constexpr (SEGMENTS > 1)
            total = total_by_warp<ROWS>(task, begin, end);
        else
            total = total_by_block<ROWS>(task, begin, end, partial);
        if (writes) task.put(segment, total);
        return;
    }

    if (threadIdx.x == 0) taken = workspace.take_ticket();
    __syncthreads();
    const Ticket ticket = taken;
    const unsigned number = ticket.number();
    const long long first = static_cast<long long>(number) * piece, last = min(task.n, first + piece) - 1;
    if (warp < 2) {  // the segments of its first and its last element
        const long long at =
            lower_bound_by_warp(task.offsets, task.segments, (warp == 0 ? first : last) + 1) - 1;
        if (threadIdx.x % 32 == 0) segment_at[warp] = at;
    }
    __syncthreads();
    const VersionedArray<V> heads(workspace, ticket.version()),
        tails(workspace, ticket.version(), 1LL * pieces * VersionedArray<V>::WORDS);
    for (int side = 0; side < 2; ++side) {
        const long long segment = segment_at[side];
        if (side == 1 && segment == segment_at[0]) break;
        const long long begin = task.offset(segment), end = task.offset(segment + 1);
        if (end - begin <= piece) continue;
        V total = total_by_block<ROWS>(task, max(first, begin), min(last + 1, end), partial);
        const bool ends = end <= last + 1;
        if (!ends) {
            if (threadIdx.x == 0) (begin <= first ? heads : tails).write(number, total);
        } else if (warp == 0) {
            const unsigned begun = static_cast<unsigned>(begin / piece);
            const bool at_boundary = begin % piece == 0;
            V before;
            unsigned next = begun;
            if (!at_boundary) {
                V values[1];
                tails.await(values, begun, begun);
                before = values[0];
                ++next;
            }
            for (; next < number; next += 32) {
                V values[1];
                heads.await(values, next, number - 1);
                const V batch = reduce_rows(values, static_cast<int>(min(number - next, 32u)), task.op);
                before = next == begun ? batch : task.op(before, batch);
            }
            if (threadIdx.x == 0) task.put(segment, task.op(before, total));
        }
        __syncthreads();  // the sums of the warps have been read
    }
    if (threadIdx.x == 0) workspace.end_call(ticket, pieces, 2 * pieces * VersionedArray<V>::WORDS);
}

/// The call, for short vectors whose segments are neither too many nor, on average, too long.
template <class Task>
struct SegmentBlocks {
    using V = typename Task::Value;
    static constexpr int WARPS = 8, SHORT_PIECE = 1024, PIECE = 8192;
    static constexpr int ROWS_OF_WARP = 4, ROWS_OF_BLOCK = 8;

    /// Longer vectors are for a pass over all tiles, which reads them at the speed of memory.
    static bool are_for(long long n, long long segments, const Device& device) {
        constexpr long long LONGEST = 1 << 20;
        return n <= LONGEST && n <= 2 * PIECE * segments && segments <= 64LL * device.multiprocessors;
    }
    static std::size_t bytes(long long n) { return bytes_of_words<V>(2 * ceil_div(n, SHORT_PIECE)); }

    static cudaError_t run(const Memory& memory, const Task& task, const Device& device,
                           cudaStream_t stream) {
        constexpr int MEAN_FOR_BLOCK = 256;  // elements of a segment that is worth a block
        const bool by_warps = task.n < MEAN_FOR_BLOCK * task.segments;
        const int piece = by_warps ? SHORT_PIECE : PIECE;
        const auto pieces = static_cast<unsigned>(task.n <= piece ? 0 : ceil_div(task.n, piece));
        cudaError_t status = memory.check(bytes(task.n), device.ordinal);
        VersionedWords words = {};
        if (status == cudaSuccess && pieces > 0) status = memory.words(bytes(task.n), stream, words);
        if (status != cudaSuccess) return status;
        const long long blocks = pieces + (by_warps ? ceil_div(task.segments, WARPS) : task.segments);
        const auto kernel = by_warps ? total_segments<WARPS, WARPS, ROWS_OF_WARP, Task>
                                     : total_segments<WARPS, 1, ROWS_OF_BLOCK, Task>;
        return launch(kernel, static_cast<unsigned>(blocks), 32 * WARPS, stream, task, piece, pieces, words);
    }
};

}  // namespace trial
