// Scans and reductions of segments that stay in registers: arithmetic without memory.
//
//     load once    x    again and again: y = scan of x     store once    y
//
// The compiler must not take the repetitions for one. So after each of them y is stored and x loaded anew
// if the number of the repetition has a bit of `changes`, which has none: an instruction and a branch not
// taken.
#pragma once
#include "kernels/textbook/device/scan_segments.cuh"

namespace trial {

/// scan_segments() with `times` scans of the same elements; changes: 0. n is a multiple of 4,096. Grid: n
/// / 4096 blocks.
template <class Form, int SEGMENT>
__global__ void __launch_bounds__(SEGMENT_THREADS)
    scan_in_registers(const typename Form::Element* in, float* out, int times, int changes) {
    const FullTile<ROWS_ELEMENTS> all;
    typename Form::Element x[ROWS][4];
    float y[ROWS][4];
    load_rows(in + begin_of_warp(), all, x);
#pragma unroll 1
    for (int i = 1; i <= times; ++i) {
        if (SEGMENT > ROWS_ELEMENTS) __syncthreads();
        scan_segments_of_block<Form, SEGMENT>(x, y);
        if ((i & changes) != 0) {
            store_rows(out + begin_of_warp(), all, y);
            load_rows(in + begin_of_warp(), all, x);
        }
    }
    store_rows(out + begin_of_warp(), all, y);
}

/// reduce_segments() likewise.
template <class Form, int SEGMENT>
__global__ void __launch_bounds__(SEGMENT_THREADS)
    reduce_in_registers(const typename Form::Element* in, float* out, int times, int changes) {
    const FullTile<ROWS_ELEMENTS> all;
    typename Form::Element x[ROWS][4];
    float sums[2];
    load_rows(in + begin_of_warp(), all, x);
#pragma unroll 1
    for (int i = 1; i <= times; ++i) {
        if (SEGMENT > ROWS_ELEMENTS) __syncthreads();
        reduce_segments_of_block<Form, SEGMENT>(x, sums);
        if ((i & changes) != 0) {
            store_sums_of_block<SEGMENT>(out, all, sums);
            load_rows(in + begin_of_warp(), all, x);
        }
    }
    store_sums_of_block<SEGMENT>(out, all, sums);
}

}  // namespace trial
