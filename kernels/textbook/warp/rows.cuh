// 1,024 consecutive elements in the registers of a warp: eight rows of 128, four neighbours a lane.
//
//             lane 0          lane 1          ..   lane 31
//     row 0   x0 .. x3        x4 .. x7        ..   x124 .. x127
//     row 1   x128 .. x131    x132 .. x135    ..   x252 .. x255
//     ..
//
// A row is one coalesced access of four elements a lane. Rows 2 j and 2 j + 1 are tile j, a matrix of 16 x
// 16 elements: lane 4 g + t holds columns 4 t .. 4 t + 3 of its rows g and g + 8.
#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "kernels/tile.cuh"

namespace trial {

inline constexpr int ROWS = 8, ROW = 128, ROWS_ELEMENTS = ROWS * ROW, TILES = ROWS / 2;

/// Four neighbours, loaded as one word of up to 16 bytes.
template <class T>
struct alignas(4 * sizeof(T)) Four {
    T at[4];
};

/// Load in[0 .. count - 1], count <= 1,024 (an int, or FullTile<1024>), by a warp; elements from there on
/// are 0. `in` is aligned to four elements.
template <class T, class Count>
__device__ void load_rows(const T* in, Count count, T (&x)[ROWS][4]) {
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const int first = r * ROW + 4 * (threadIdx.x % 32);
        Four<T> four = {};
        if (first + 4 <= count) {
            four = *reinterpret_cast<const Four<T>*>(in + first);
        } else {
#pragma unroll
            for (int k = 0; k < 3; ++k)
                if (first + k < count) four.at[k] = in[first + k];
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) x[r][k] = four.at[k];
    }
}

/// Store out[0 .. count - 1]. `out` is aligned to 16 bytes.
template <class Count>
__device__ void store_rows(float* out, Count count, const float (&y)[ROWS][4]) {
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const int first = r * ROW + 4 * (threadIdx.x % 32);
        if (first + 4 <= count) {
            reinterpret_cast<float4*>(out)[first / 4] = make_float4(y[r][0], y[r][1], y[r][2], y[r][3]);
        } else {
#pragma unroll
            for (int k = 0; k < 3; ++k)
                if (first + k < count) out[first + k] = y[r][k];
        }
    }
}

/// Store the sums of the segments of 16, 256 or 1,024 elements in which the warp has `count` elements. Of
/// 16: lane 4 g + t holds those of rows g and g + 8 of tile t; of 256: lane t that of tile t; of 1,024:
/// all lanes.
template <int SEGMENT, class Count>
__device__ void store_sums(float* out, Count count, const float (&sums)[2]) {
    static_assert(SEGMENT == 16 || SEGMENT == 256 || SEGMENT == ROWS_ELEMENTS);
    const int lane = threadIdx.x % 32, begun = (count + SEGMENT - 1) / SEGMENT;
    if constexpr (SEGMENT == 16) {
        const int first = lane % 4 * 16 + lane / 4;
        if (first < begun) out[first] = sums[0];
        if (first + 8 < begun) out[first + 8] = sums[1];
    } else {
        if (lane < begun) out[lane] = sums[0];
    }
}

}  // namespace trial
