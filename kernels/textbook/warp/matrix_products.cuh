// Products of matrices by the tensor cores: D = A B + D, with A of 16 x 16, B of 16 x 8, D of 16 x 8 floats.
//
//             A                         B                        D
//     row g   [ 4 t .. 4 t + 3 ]        column g                 row g       d0 d1   columns 2 t, 2 t + 1
//     row g+8 [ 4 t .. 4 t + 3 ]        [ 4 t .. 4 t + 3 ]       row g+8     d2 d3
//
// Lane 4 g + t holds these. The hardware numbers the inner dimension otherwise (PTX: columns 2 t, 2 t + 1,
// 2 t + 8, 2 t + 9), but a sum does not depend on how its terms are numbered, as long as A and B agree. So
// a lane holds four neighbours, and a row of A is a column of B, without any movement.
//
// A tensor core multiplies exactly and adds all terms at once, each cut off at 25 bits below the greatest
// one (sm_90), and cuts the sum off to a float. Zero times infinity or NaN is NaN: one of them spreads to
// all that its row or column is multiplied by, be it by zero.
//
// A float has 24 bits; a tensor core takes 11 (halves, tf32) or 8 (bfloat16). It is split into parts, each
// of what the parts before left over. tf32 cuts off: one part is off by less than 2^-10 of the element,
// two by less than 2^-21. Three parts of bfloat16, each rounded to nearest, are exact unless the last
// falls below 2^-133. In several parts an infinity leaves infinity - infinity: NaN.
//
// Source: NVIDIA, PTX ISA, mma.sync; Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA
// tensor cores", PeerJ CS 7, 2021. Needs sm_80.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstring>

#include "kernels/operators.cuh"

namespace trial {

/// Four neighbours of a row of A or of a column of B, ready for STEPS instructions, in PARTS parts.
template <int PARTS, int STEPS>
struct Words {
    unsigned at[PARTS][STEPS][2];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define TRIAL_MMA(SHAPE_AND_TYPES)                                         \
    asm("mma.sync.aligned." SHAPE_AND_TYPES                                \
        " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                   \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#else
#define TRIAL_MMA(SHAPE_AND_TYPES) __trap()
#endif

/// Two values in a register.
template <class Pair>
__device__ unsigned word_of(Pair pair) {
    static_assert(sizeof(Pair) == 4);
    unsigned word;
    memcpy(&word, &pair, 4);
    return word;
}

/// Split four floats into parts of a format that has round() and subtract().
template <class Format>
__device__ Words<Format::PARTS, Format::STEPS> split_floats(const float (&x)[4]) {
    Words<Format::PARTS, Format::STEPS> all;
    float rest[4] = {x[0], x[1], x[2], x[3]};
#pragma unroll
    for (int part = 0; part < Format::PARTS; ++part) {
        const auto words = Format::round(rest);
        memcpy(all.at[part], words.at[0], sizeof(words));
        if (part + 1 < Format::PARTS) Format::subtract(rest, words);
    }
    return all;
}

/// Elements are halves.
struct Halves {
    using Element = __half;
    static constexpr int PARTS = 1, STEPS = 1;

    /// Of four floats, what the format holds.
    __device__ static Words<1, 1> round(const float (&x)[4]) {
        return {{{{word_of(__floats2half2_rn(x[0], x[1])), word_of(__floats2half2_rn(x[2], x[3]))}}}};
    }
    __device__ static Words<1, 1> split(const __half (&x)[4]) {
        return {{{{word_of(__halves2half2(x[0], x[1])), word_of(__halves2half2(x[2], x[3]))}}}};
    }
    __device__ static void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
        TRIAL_MMA("m16n8k16.row.col.f32.f16.f16.f32");
    }
};

/// Elements are floats, in three parts of bfloat16.
struct Bfloats {
    using Element = float;
    static constexpr int PARTS = 3, STEPS = 1;

    __device__ static Words<1, 1> round(const float (&x)[4]) {
        return {{{{word_of(__floats2bfloat162_rn(x[0], x[1])), word_of(__floats2bfloat162_rn(x[2], x[3]))}}}};
    }
    __device__ static void subtract(float (&x)[4], const Words<1, 1>& part) {
        const Sum<float> op;
#pragma unroll
        for (int k = 0; k < 4; ++k) {  // a bfloat16 is the upper half of a float
            const unsigned pair = part.at[0][0][k / 2];
            x[k] = op(x[k], -__uint_as_float(k % 2 == 0 ? pair << 16 : pair & 0xffff0000u));
        }
    }
    __device__ static Words<3, 1> split(const float (&x)[4]) { return split_floats<Bfloats>(x); }
    __device__ static void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
        TRIAL_MMA("m16n8k16.row.col.f32.bf16.bf16.f32");
    }
};

/// Elements are floats, in parts of tf32: the upper 19 bits of a float. The lower 13 need not be cleared: an
/// H200 does not look at them. An instruction takes half of the inner dimension.
template <int PARTS_OF_FLOAT>
struct Tf32 {
    using Element = float;
    static constexpr int PARTS = PARTS_OF_FLOAT, STEPS = 2;

    __device__ static Words<1, 2> round(const float (&x)[4]) {
        return {{{{__float_as_uint(x[0]), __float_as_uint(x[1])},
                  {__float_as_uint(x[2]), __float_as_uint(x[3])}}}};
    }
    __device__ static void subtract(float (&x)[4], const Words<1, 2>& part) {
        const Sum<float> op;
#pragma unroll
        for (int k = 0; k < 4; ++k) x[k] = op(x[k], -__uint_as_float(part.at[0][k / 2][k % 2] & 0xffffe000u));
    }
    __device__ static Words<PARTS, 2> split(const float (&x)[4]) { return split_floats<Tf32>(x); }
    __device__ static void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
        TRIAL_MMA("m16n8k8.row.col.f32.tf32.tf32.f32");
    }
};

#undef TRIAL_MMA

/// d += A B, the least parts first: one instruction for each step and each pair of parts. low, high: of
/// rows g and g + 8 of A; column: of column g of B. Called by all lanes of the warp.
template <class Format, int PARTS_A, int PARTS_B>
__device__ void add_product(float (&d)[4], const Words<PARTS_A, Format::STEPS>& low,
                            const Words<PARTS_A, Format::STEPS>& high,
                            const Words<PARTS_B, Format::STEPS>& column) {
#pragma unroll
    for (int i = PARTS_A - 1; i >= 0; --i)
#pragma unroll
        for (int j = PARTS_B - 1; j >= 0; --j)
#pragma unroll
            for (int step = 0; step < Format::STEPS; ++step) {
                const auto &upper = low.at[i][step], &lower = high.at[i][step];
                const unsigned a[4] = {upper[0], lower[0], upper[1], lower[1]};
                Format::multiply(d, a, column.at[j][step]);
            }
}

}  // namespace trial
