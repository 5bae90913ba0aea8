// Scan or reduce every segment of a vector, in registers: a warp has 1,024 consecutive elements, a block
// four warps.
//
//     in      | warp 0 | warp 1 | warp 2 | warp 3 |        block 0: 4,096 elements
//     segments of 16, 256 or 1,024: within a warp      of 4,096: a block
//
// Elements are halves or floats; sums are floats. A form says how a warp scans and reduces its rows: by
// products or by shuffles. Beyond a warp all forms add the totals of the warps in the same way, in 2
// barriers (scan) or 1 (reduction). Bytes: n elements read; n floats written, or one for each segment.
#pragma once
#include <cuda_runtime.h>

#include "kernels/operators.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/warp/reduce_fours.cuh"
#include "kernels/textbook/warp/reduce_tensor.cuh"
#include "kernels/textbook/warp/scan_fours.cuh"
#include "kernels/textbook/warp/scan_tensor.cuh"

namespace trial {

inline constexpr int SEGMENT_WARPS = 4, SEGMENT_THREADS = 32 * SEGMENT_WARPS;
inline constexpr int SEGMENT_TILE = SEGMENT_WARPS * ROWS_ELEMENTS;  ///< elements of a block

/// Forms: products in a format of matrix_products.cuh; additions, of halves or floats.
template <class Format>
struct ByProducts {
    using Element = typename Format::Element;
    template <int SEGMENT>
    __device__ static void scan(const Element (&x)[ROWS][4], float (&y)[ROWS][4]) {
        scan_by_products<Format, SEGMENT>(x, y);
    }
    template <int SEGMENT>
    __device__ static void reduce(const Element (&x)[ROWS][4], float (&sums)[2]) {
        reduce_by_products<Format, SEGMENT>(x, sums);
    }
};
template <class T>
struct ByShuffles {
    using Element = T;
    template <int SEGMENT>
    __device__ static void scan(const T (&x)[ROWS][4], float (&y)[ROWS][4]) {
        scan_by_shuffles<T, SEGMENT>(x, y);
    }
    template <int SEGMENT>
    __device__ static void reduce(const T (&x)[ROWS][4], float (&sums)[2]) {
        reduce_by_shuffles<T, SEGMENT>(x, sums);
    }
};

/// Scan every segment of a block's rows. SEGMENT: 16, 256, 1,024 or 4,096. Called by all threads; calls must
/// be separated by a block barrier.
template <class Form, int SEGMENT>
__device__ void scan_segments_of_block(const typename Form::Element (&x)[ROWS][4], float (&y)[ROWS][4]) {
    Form::template scan<(SEGMENT < ROWS_ELEMENTS ? SEGMENT : ROWS_ELEMENTS)>(x, y);
    if constexpr (SEGMENT > ROWS_ELEMENTS) {
        static_assert(SEGMENT == SEGMENT_TILE);
        const FullTile<SEGMENT_THREADS> all;
        const Prefix<float> before = prefix_of_warp<SEGMENT_THREADS>(y[ROWS - 1][3], all, Sum<float>{});
        if (before.exists)
#pragma unroll
            for (int r = 0; r < ROWS; ++r)
#pragma unroll
                for (int k = 0; k < 4; ++k) y[r][k] = Sum<float>{}(before.value, y[r][k]);
    }
}

/// Reduce every segment of a block's rows; that of 4,096 elements to sums[0] of thread 0. As above.
template <class Form, int SEGMENT>
__device__ void reduce_segments_of_block(const typename Form::Element (&x)[ROWS][4], float (&sums)[2]) {
    Form::template reduce<(SEGMENT < ROWS_ELEMENTS ? SEGMENT : ROWS_ELEMENTS)>(x, sums);
    if constexpr (SEGMENT > ROWS_ELEMENTS) {
        static_assert(SEGMENT == SEGMENT_TILE);
        auto& of_warps = sums_of_warps<SEGMENT_WARPS, float>();
        if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sums[0];
        __syncthreads();
        if (threadIdx.x == 0)
            for (int warp = 1; warp < SEGMENT_WARPS; ++warp) sums[0] = Sum<float>{}(sums[0], of_warps[warp]);
    }
}

/// The elements of the vector that belong to this warp: begin() .. begin() + count - 1.
__device__ inline long long begin_of_warp() {
    return (blockIdx.x * static_cast<long long>(SEGMENT_WARPS) + threadIdx.x / 32) * ROWS_ELEMENTS;
}

/// Call work(count) with the number of elements of the vector that this warp has: a FullTile in a full
/// block.
template <class Work>
__device__ void with_count(long long n, Work work) {
    const long long left = n - begin_of_warp();
    if ((blockIdx.x + 1LL) * SEGMENT_TILE <= n)
        work(FullTile<ROWS_ELEMENTS>{});
    else
        work(static_cast<int>(left < 0 ? 0 : left < ROWS_ELEMENTS ? left : ROWS_ELEMENTS));
}

/// Store the sums of a warp's segments as reduce_segments_of_block() leaves them. out: that of the vector's
/// first segment.
template <int SEGMENT, class Count>
__device__ void store_sums_of_block(float* out, Count count, const float (&sums)[2]) {
    if constexpr (SEGMENT <= ROWS_ELEMENTS)
        store_sums<SEGMENT>(out + begin_of_warp() / SEGMENT, count, sums);
    else if (threadIdx.x == 0)
        out[blockIdx.x] = sums[0];
}

/// out: n floats, every segment of `in` scanned; both aligned to four elements. Grid: ceil_div(n, 4096)
/// blocks of 128 threads.
template <class Form, int SEGMENT>
__global__ void __launch_bounds__(SEGMENT_THREADS)
    scan_segments(const typename Form::Element* in, float* out, long long n) {
    with_count(n, [=](auto count) {
        typename Form::Element x[ROWS][4];
        float y[ROWS][4];
        load_rows(in + begin_of_warp(), count, x);
        scan_segments_of_block<Form, SEGMENT>(x, y);
        store_rows(out + begin_of_warp(), count, y);
    });
}

/// out: one float for each segment of `in`, which is aligned to four elements. The same grid.
template <class Form, int SEGMENT>
__global__ void __launch_bounds__(SEGMENT_THREADS)
    reduce_segments(const typename Form::Element* in, float* out, long long n) {
    with_count(n, [=](auto count) {
        typename Form::Element x[ROWS][4];
        float sums[2];
        load_rows(in + begin_of_warp(), count, x);
        reduce_segments_of_block<Form, SEGMENT>(x, sums);
        store_sums_of_block<SEGMENT>(out, count, sums);
    });
}

}  // namespace trial
