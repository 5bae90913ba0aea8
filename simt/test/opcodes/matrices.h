// Operations on matrices: what the lanes of a warp hold of each, and products of them.
//
// Every warp has a kind of matrix of its own, for what can go wrong in a sum of products: terms that cancel,
// that differ much in size, denormals, overflow, infinities, ties. The numbers are made from the inputs of
// the set `words` by a hash, so that they are the same wherever they are made.
#pragma once
#include "simt/test/opcodes/operation.h"

namespace opcodes {

/// Of a number: bits of its exponent and of its fraction, bits that it occupies. exponent 0: an integer.
struct Format {
    int exponent, fraction, bits;
};
constexpr Format HALF{5, 10, 16}, BFLOAT{8, 7, 16}, TF32{8, 10, 32}, E4M3{4, 3, 8}, E5M2{5, 2, 8},
    FLOAT{8, 23, 32}, DOUBLE{11, 52, 64}, BITS{0, 0, 32}, BYTES{0, 0, 8}, SUM{0, 0, 32};

enum class Matrix { A, B, C };

constexpr int KINDS = 12;

/// SplitMix64's finaliser.
__device__ inline u64 mixed(u64 z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

struct Shape {
    int exponent;
    u64 fraction;
};

/// A number with this exponent, kept within those of normal numbers.
__device__ inline Shape normal(const Format& f, int exponent, u64 fraction) {
    const int most = (1 << f.exponent) - 2;
    return {exponent < 1 ? 1 : exponent > most ? most : exponent, fraction};
}

__device__ inline Shape edge(const Format& f, int which) {
    const int bias = (1 << (f.exponent - 1)) - 1, last = (1 << f.exponent) - 1;
    const u64 all = (u64(1) << f.fraction) - 1;
    switch (which % 12) {
        case 0: return {0, 0};
        case 1: return {0, 1};
        case 2: return {0, all};
        case 3: return {1, 0};
        case 4: return {bias, 0};
        case 5: return {bias, 1};
        case 6: return {bias - 1, all};
        case 7: return {last - 1, all};
        case 8: return {bias + f.fraction, 1};
        case 9: return {last, which / 12 % 4 == 0 ? 0 : which / 12 % 4 == 1 ? all : 0u};
        case 10: return {bias - f.fraction - 1, 0};
        default: return {1, all};
    }
}

/// A number of a kind, from random bits. The kinds: see the numbers of the cases.
__device__ inline Shape shape(int kind, const Format& f, Matrix matrix, u64 random) {
    const int bias = (1 << (f.exponent - 1)) - 1, last = (1 << f.exponent) - 1;
    const int pick = int(random >> 1 & 127);
    const bool is_sum = matrix == Matrix::C;
    const u64 all = (u64(1) << f.fraction) - 1, fraction = random >> 8 & all;
    switch (kind) {
        case 0: return {int(mixed(random) & u64(last)), fraction};  // any bits
        case 1: return normal(f, bias + pick % 4 - 2, fraction);    // near 1
        case 2: return normal(f, bias + pick % 64 - 32, fraction);  // of all sizes
        case 3:                                                     // which cancel
            return normal(f, bias + (is_sum ? pick % 5 : pick & 1), is_sum ? fraction : fraction & 3);
        case 4:  // denormals
            if (matrix == Matrix::B) return normal(f, bias + pick % 16 - 4, fraction);
            return {pick % 4 == 0 ? pick / 4 % 3 : 0, pick % 8 == 1 ? 0 : fraction};
        case 5:  // few, of all sizes
            return pick % 4 != 0 && !is_sum ? Shape{0, 0}
                                            : normal(f, bias + int(fraction * 37 % 61) - 30, fraction);
        case 6:  // infinities, seldom, and NaNs
            if (pick == 0) return {last, pick < 64 && random >> 40 & 1 ? 0 : fraction & (all >> 1)};
            if (pick == 1) return {last, 0};
            return normal(f, bias + pick % 4 - 2, fraction);
        case 7:  // as large as can be
            if (is_sum || matrix == Matrix::A) return normal(f, last - 1 - (pick & 1), fraction);
            return normal(f, pick % 4 == 0 ? bias + 8 : bias - 3 + (pick & 3), fraction);
        case 8:  // a sum far from the products
            return normal(f, is_sum ? bias + pick % 64 - 32 : bias, fraction);
        case 9:  // edges
            return edge(f, pick % 8 == 0 ? pick / 8 : pick % 12 == 9 ? 4 : pick);
        case 10:  // powers of two
            return normal(f, is_sum ? bias + pick % 8 : bias - pick % 16,
                          is_sum && random >> 50 & 1 ? fraction : 0);
        default:  // zeros, and the least
            return {0, pick % 16 == 0 ? u64(1) : 0};
    }
}

__device__ inline u64 number(int kind, const Format& f, Matrix matrix, u64 random) {
    if (f.exponent == 0) {  // any bits; as large as can be, or small
        const int pick = int(random >> 1 & 127);
        const u64 half = u64(1) << (f.bits - 1), all = 2 * half - 1;
        if (kind % 4 == 1)
            return (pick & 1 ? half : half - 1) - (pick % 32 == 2) - (pick & 2 ? half >> 4 : 0);
        if (kind % 4 == 2 && matrix != Matrix::C) return (pick & 1 ? half : all) & all;
        if (kind % 4 == 3) return (random >> 32) % 5 - 2 & all;
        return mixed(random) & all;
    }
    const Shape s = shape(kind, f, matrix, random);
    u64 bits = (u64(s.exponent) << f.fraction | s.fraction) | (random & 1) << (f.exponent + f.fraction);
    const int below = f.bits - 1 - f.exponent - f.fraction;  // tf32: what a tensor core does not look at
    return bits << below | (mixed(random ^ 1) & ((u64(1) << below) - 1));
}

/// Register r of a matrix, in the lane of case i.
__device__ __noinline__ inline u64 fragment(const u32* in, int i, int r, Format f, Matrix matrix) {
    const int kind = i / 32 % KINDS;
    u64 bits = 0;
    for (int at = 0; at < (f.bits == 64 ? 64 : 32); at += f.bits) {
        const u64 seed = u64(in[i] + 2654435761u * in[i + 2 * CASES]) << 32 | u32(i * 1024 + r * 16 + at / 4);
        bits |= number(kind, f, matrix, mixed(seed * 0x9e3779b97f4a7c15 + u64(int(matrix) + 1))) << at;
    }
    return bits;
}

}  // namespace opcodes

using opcodes::fragment;
using opcodes::Matrix;

template <class T, int N>
struct Registers {
    T of[N];
};

__device__ inline u32 bits_of(float value) { return __float_as_uint(value); }
__device__ inline u32 bits_of(u32 value) { return value; }
__device__ inline u64 bits_of(double value) { return u64(__double_as_longlong(value)); }
__device__ inline void set(u32& to, u64 bits) { to = u32(bits); }
__device__ inline void set(float& to, u64 bits) { to = __uint_as_float(u32(bits)); }
__device__ inline void set(double& to, u64 bits) { to = __longlong_as_double((long long)(bits)); }

// A product of matrices: its name in PTX; how many registers d, a and b have, c as d; of which types (float
// F, double D, word W) sums and factors are; and the formats of their numbers.
#define PRODUCT(COUNTS, TYPES, I, OF_A, OF_B, OF_C) \
    PRODUCT_AS(ASM_##COUNTS, COUNTS, TYPES, I, OF_A, OF_B, OF_C)
#define PRODUCT_AS(ASM, COUNTS, TYPES, I, OF_A, OF_B, OF_C) \
    PRODUCT_OF(ASM, COUNTS_##COUNTS, TYPES_##TYPES, I, OF_A, OF_B, OF_C)
#define PRODUCT_OF(ASM, COUNTS, TYPES, I, OF_A, OF_B, OF_C) \
    PRODUCT_BY(ASM, COUNTS, TYPES, I, OF_A, OF_B, OF_C)
#define PRODUCT_BY(ASM, ND, NA, NB, SUM, FACTOR, CS, CF, OUT, I, OF_A, OF_B, OF_C)                          \
    using OUT##ND##_##NA##_##NB [[maybe_unused]] = Registers<OUT, ND>;                                      \
    BLOCK_OPERATION(words, u32, OUT##ND##_##NA##_##NB, I, FACTOR a[NA]; FACTOR b[NB]; SUM c[ND]; SUM d[ND]; \
                    for (int r = 0; r < NA; ++r) set(a[r], fragment(in, i, r, opcodes::OF_A, Matrix::A));   \
                    for (int r = 0; r < NB; ++r) set(b[r], fragment(in, i, r, opcodes::OF_B, Matrix::B));   \
                    for (int r = 0; r < ND; ++r) set(c[r], fragment(in, i, r, opcodes::OF_C, Matrix::C));   \
                    ASM(I, CS, CF); for (int r = 0; r < ND; ++r) out[i].of[r] = bits_of(d[r]))
#define COUNTS_211 2, 1, 1
#define COUNTS_221 2, 2, 1
#define COUNTS_242 2, 4, 2
#define COUNTS_421 4, 2, 1
#define COUNTS_422 4, 2, 2
#define COUNTS_442 4, 4, 2
#define COUNTS_484 4, 8, 4
#define COUNTS_822 8, 2, 2
#define TYPES_F float, u32, "f", "r", u32
#define TYPES_W u32, u32, "r", "r", u32
#define TYPES_D double, double, "d", "d", u64

#define IN2(C, x) C(x[0]), C(x[1])
#define IN4(C, x) IN2(C, x), C(x[2]), C(x[3])
#define IN8(C, x) IN4(C, x), C(x[4]), C(x[5]), C(x[6]), C(x[7])
#define ASM_211(I, CS, CF) \
    asm volatile(I " {%0,%1}, {%2}, {%3}, {%4,%5};" : IN2("=" CS, d) : CF(a[0]), CF(b[0]), IN2(CS, c))
#define ASM_221(I, CS, CF) \
    asm volatile(I " {%0,%1}, {%2,%3}, {%4}, {%5,%6};" : IN2("=" CS, d) : IN2(CF, a), CF(b[0]), IN2(CS, c))
#define ASM_242(I, CS, CF)                                      \
    asm volatile(I " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};" \
                 : IN2("=" CS, d)                               \
                 : IN4(CF, a), IN2(CF, b), IN2(CS, c))
#define ASM_421(I, CS, CF)                                          \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" \
                 : IN4("=" CS, d)                                   \
                 : IN2(CF, a), CF(b[0]), IN4(CS, c))
#define ASM_422(I, CS, CF)                                              \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11};" \
                 : IN4("=" CS, d)                                       \
                 : IN2(CF, a), IN2(CF, b), IN4(CS, c))
#define ASM_442(I, CS, CF)                                                      \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};" \
                 : IN4("=" CS, d)                                               \
                 : IN4(CF, a), IN2(CF, b), IN4(CS, c))
#define ASM_484(I, CS, CF)                                                                              \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19};" \
                 : IN4("=" CS, d)                                                                       \
                 : IN8(CF, a), IN4(CF, b), IN4(CS, c))
#define ASM_822(I, CS, CF)                                                                              \
    asm volatile(I " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19};" \
                 : IN8("=" CS, d)                                                                       \
                 : IN2(CF, a), IN2(CF, b), IN8(CS, c))
#define MMA(SHAPE, TYPES) "mma.sync.aligned." SHAPE ".row.col." TYPES

// A is sparse: of every four numbers two are there, and which, say the lanes that the selector names.
#define SPARSE(COUNTS, TYPES, I, SELECTOR, PAIRS, OF_A, OF_B, OF_C) \
    SPARSE_AS(SPARSE_ASM_##COUNTS, SPARSE_##COUNTS, TYPES_##TYPES,  \
              "mma.sp::ordered_metadata.sync.aligned." I, SELECTOR, PAIRS, OF_A, OF_B, OF_C)
#define SPARSE_AS(...) SPARSE_BY(__VA_ARGS__)
#define SPARSE_BY(ASM, ND, NA, NB, SUM, FACTOR, CS, CF, OUT, I, SELECTOR, PAIRS, OF_A, OF_B, OF_C)        \
    using SPARSE##OUT##ND [[maybe_unused]] = Registers<OUT, ND>;                                          \
    BLOCK_OPERATION(words, u32, SPARSE##OUT##ND, I " " SELECTOR, FACTOR a[NA]; FACTOR b[NB]; SUM c[ND];   \
                    SUM d[ND]; u32 e = 0;                                                                 \
                    for (int k = 0; k < 8; ++k) e |=                                                      \
                    (PAIRS >> (in[i] + in[i + 2 * opcodes::CASES] + k * 7u + i) % 6 * 4 & 15) << 4 * k;   \
                    for (int r = 0; r < NA; ++r) set(a[r], fragment(in, i, r, opcodes::OF_A, Matrix::A)); \
                    for (int r = 0; r < NB; ++r) set(b[r], fragment(in, i, r, opcodes::OF_B, Matrix::B)); \
                    for (int r = 0; r < ND; ++r) set(c[r], fragment(in, i, r, opcodes::OF_C, Matrix::C)); \
                    ASM(I, CS, CF, SELECTOR); for (int r = 0; r < ND; ++r) out[i].of[r] = bits_of(d[r]))
#define SPARSE_222 2, 2, 2
#define SPARSE_244 2, 4, 4
#define SPARSE_422 4, 2, 2
#define SPARSE_444 4, 4, 4
#define SPARSE_ASM_222(I, CS, CF, SELECTOR)                                 \
    asm volatile(I " {%0,%1}, {%2,%3}, {%4,%5}, {%6,%7}, %8, " SELECTOR ";" \
                 : IN2("=" CS, d)                                           \
                 : IN2(CF, a), IN2(CF, b), IN2(CS, c), "r"(e))
#define SPARSE_ASM_244(I, CS, CF, SELECTOR)                                                \
    asm volatile(I " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%10,%11}, %12, " SELECTOR ";" \
                 : IN2("=" CS, d)                                                          \
                 : IN4(CF, a), IN4(CF, b), IN2(CS, c), "r"(e))
#define SPARSE_ASM_422(I, CS, CF, SELECTOR)                                                \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, " SELECTOR ";" \
                 : IN4("=" CS, d)                                                          \
                 : IN2(CF, a), IN2(CF, b), IN4(CS, c), "r"(e))
#define SPARSE_ASM_444(I, CS, CF, SELECTOR)                                                                \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, " SELECTOR ";" \
                 : IN4("=" CS, d)                                                                          \
                 : IN4(CF, a), IN4(CF, b), IN4(CS, c), "r"(e))
// Pairs in ascending order: of four numbers, and of two of tf32.
#define OF_FOUR 0xedc984u
#define OF_TWO 0x4ee4e4u
