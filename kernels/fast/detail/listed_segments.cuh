// Segments by begins and ends, in any order: a block each, whatever their lengths.
//
//     reduce    warps take chunks of the segment in words of 16 bytes, see segment_blocks
//     scan      256 elements at a time: lanes by shuffles, then the sums of the warps before
//
// Work: 2 n; bytes: each element of a segment is read once. launches 1. Few long segments leave most of the
// GPU idle: cut them, or give offsets.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/fast/detail/segment_blocks.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"

namespace trial {

inline constexpr int LISTED_THREADS = 256;

/// What there is to do: elements outside 0 .. n - 1 are left out.
template <class In, class Out, class Bounds, class V, class Op>
struct ListedTask {
    using Value = V;
    In in;
    Out out;
    Bounds bounds;
    long long n, segments;
    Op op;
    Prefix<V> start;
    V nothing;

    __device__ long long begin(long long s) const { return max(0LL, bounds.begin(s)); }
    __device__ long long end(long long s) const { return min(n, bounds.end(s)); }
};

template <class Task>
__global__ void __launch_bounds__(LISTED_THREADS) reduce_listed(const __grid_constant__ Task task) {
    using V = typename Task::Value;
    constexpr int WARPS = LISTED_THREADS / 32, ROWS = 4;
    constexpr long long MOST = 1 << 28;  // elements at a time
    __shared__ V partial[WARPS];
    for (long long s = blockIdx.x; s < task.segments; s += gridDim.x) {
        const long long begin = task.begin(s), end = task.end(s);
        Prefix<V> total = task.start;
        for (long long at = begin; at < end; at += MOST) {
            const SegmentUnits<decltype(task.in), V> units(task.in, task.n, at, min(end, at + MOST));
            const V sum = total_by_block<ROWS>(units, partial, task.op);
            if (threadIdx.x == 0) total = {combine(total, sum, task.op), true};
            __syncthreads();  // the sums of the warps have been read
        }
        if (threadIdx.x == 0) task.out[s] = begin < end ? total.value : task.nothing;
    }
}

/// Segments must not overlap.
template <Form FORM, class Task>
__global__ void __launch_bounds__(LISTED_THREADS) scan_listed(const __grid_constant__ Task task) {
    using V = typename Task::Value;
    constexpr int WARPS = LISTED_THREADS / 32;
    __shared__ V sums[WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (long long s = blockIdx.x; s < task.segments; s += gridDim.x) {
        const long long end = task.end(s);
        Prefix<V> before = task.start;
        for (long long at = task.begin(s); at < end; at += LISTED_THREADS) {
            const long long i = at + threadIdx.x;
            const V own = static_cast<V>(task.in[min(i, end - 1)]);
            const V inclusive = scan_warp(own, i < end, task.op), left = shuffle_up(inclusive, 1);
            if (i == end - 1 || (i < end && lane == 31)) sums[warp] = inclusive;
            __syncthreads();
            Prefix<V> prefix = before;
            for (int w = 0; w < WARPS; ++w) {
                if (w == warp) prefix = before;
                if (at + 32 * w < end) before = {combine(before, sums[w], task.op), true};
            }
            if (lane > 0 && i < end) prefix = {combine(prefix, left, task.op), true};
            if (i < end)
                task.out[i] = FORM == Form::inclusive ? combine(prefix, own, task.op)
                                                      : value_or_identity(prefix, task.op);
            __syncthreads();
        }
    }
}

/// Queue one of them.
template <class Kernel, class Task>
cudaError_t queue_listed(Kernel kernel, const Task& task, cudaStream_t stream) {
    constexpr long long MOST_BLOCKS = 1 << 20;
    return launch(kernel, static_cast<unsigned>(std::min(task.segments, MOST_BLOCKS)), LISTED_THREADS, stream,
                  task);
}

}  // namespace trial
