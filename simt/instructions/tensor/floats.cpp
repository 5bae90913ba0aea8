// HMMA: products of matrices of halves, bfloat16 and tf32.
//
// A tensor core adds up all products of a row and a column, and C, at once: products are exact; all terms are
// aligned to the greatest exponent among them and cut off, toward zero, at a number of bits that depends on
// the architecture; their sum is exact, and is cut off to a float, or rounded to the nearest half. The
// exponent of a product is the sum of its factors'. Source: M. Fasi, N. J. Higham, M. Mikaitis, S. Pranesh,
// "Numerical behavior of NVIDIA tensor cores", 2021; MMA-Sim (github.com/microsoft/MMA-Sim) for numbers by
// architecture. For sm_90 they were compared with an H200: test/opcodes/tensor.cu.
#include <cmath>

#include "simt/instructions/tensor/fragments.h"
#include "simt/loader/architecture.h"

namespace sass {
namespace {

using tensor::COLUMNS;
using tensor::Results;
using tensor::Rows;

constexpr int ROWS = 16;
constexpr S NO_EXPONENT = -(1 << 16);  ///< of zero: nothing is aligned to it

/// Formats: bits of the exponent and of the fraction, bits that a number occupies.
struct Half {
    static constexpr int EXPONENT = 5, FRACTION = 10, BITS = 16;
};
struct Bfloat {
    static constexpr int EXPONENT = 8, FRACTION = 7, BITS = 16;
};
struct Tf32 {
    static constexpr int EXPONENT = 8, FRACTION = 10, BITS = 32;
};
struct Float {
    static constexpr int EXPONENT = 8, FRACTION = 23, BITS = 32;
};

// Numbers stand highest in a word; what is below them does not count.

template <class F>
constexpr S LAST = (1 << F::EXPONENT) - 1;  ///< exponent of infinities and NaNs

template <class F>
S field_of(U word) {
    return S(word << 1 >> (32 - F::EXPONENT));
}
/// With its sign: the number is that times 2 to (exponent_of - FRACTION).
template <class F>
S significand_of(U word) {
    const U fraction = word << (1 + F::EXPONENT) >> (32 - F::FRACTION);
    const S magnitude = S(fraction | U(field_of<F>(word) != 0) << F::FRACTION), sign = S(word) >> 31;
    return (magnitude ^ sign) - sign;
}
template <class F>
S exponent_of(U word) {
    const S field = field_of<F>(word);
    const U below = 32 - 1 - F::EXPONENT - F::FRACTION;
    const S exponent = (field != 0 ? field : 1) - LAST<F> / 2;
    return (word << 1 >> (1 + below)) != 0 ? exponent : NO_EXPONENT;
}

/// Many numbers, taken apart.
template <class F, int N>
struct alignas(32) Numbers {
    U word[N];
    S significand[N], exponent[N];
    /// Returns whether an infinity or a NaN is among them.
    bool take_apart() {
        U special = 0;
        for (int k = 0; k < N; ++k) {
            significand[k] = significand_of<F>(word[k]);
            exponent[k] = exponent_of<F>(word[k]);
            special |= U(field_of<F>(word[k]) == LAST<F>);
        }
        return special != 0;
    }
};

/// A and B, row by row. A has DEPTH columns; if it is sparse, that many are there of twice as many.
template <class F, int DEPTH, bool SPARSE>
struct Factors {
    static constexpr int EACH = 32 / F::BITS, DEPTH_OF_B = SPARSE ? 2 * DEPTH : DEPTH;  // EACH: in a register
    Numbers<F, ROWS * DEPTH> a;
    Numbers<F, DEPTH_OF_B * COLUMNS> b;
    bool is_special;
    int column[SPARSE ? ROWS * DEPTH : 1];

    Factors(Warp& w, const Instruction& i) {
        const Rows from_a(w, i.a), from_b(w, i.b);
        for (int e = 0; e < EACH; ++e) {
            const int up = 32 - F::BITS * (e + 1);
            for (int r = 0; r < DEPTH / (4 * EACH); ++r)
                for (int l = 0; l < LANES; ++l) {
                    const int k = (4 * r + l % 4) * EACH + e;
                    a.word[l / 4 * DEPTH + k] = from_a[2 * r][l] << up;
                    a.word[(l / 4 + 8) * DEPTH + k] = from_a[2 * r + 1][l] << up;
                }
            for (int r = 0; r < DEPTH_OF_B / (4 * EACH); ++r)
                for (int l = 0; l < LANES; ++l)
                    b.word[((4 * r + l % 4) * EACH + e) * COLUMNS + l / 4] = from_b[r][l] << up;
        }
        is_special = a.take_apart();
        is_special |= b.take_apart();
        if (SPARSE)
            for (int row = 0; row < ROWS; ++row)
                tensor::columns_of(w, i, row, DEPTH_OF_B, 2 * EACH, F::BITS, column + row * DEPTH);
    }
    /// Where the numbers of B stand that those of column k of A are multiplied by.
    int row_of_b(int row, int k) const { return (SPARSE ? column[row * DEPTH + k] : k) * COLUMNS; }
};

// A number for each column.
typedef S Eight __attribute__((vector_size(4 * COLUMNS)));
typedef U EightU __attribute__((vector_size(4 * COLUMNS)));

inline Eight eight(const S* from) {
    Eight all;
    std::memcpy(&all, from, sizeof(all));
    return all;
}
/// Toward zero, as if it were sign and magnitude.
inline Eight cut_off(Eight x, Eight by) {
    const Eight sign = x >> 31;
    by = by < 31 ? by : 31;
    return (Eight((EightU((x ^ sign) - sign)) >> EightU(by)) ^ sign) - sign;
}

/// Sums of one row: times 2 to (exponent - bits).
struct Sums {
    S64 of[COLUMNS];
    Eight exponent;
};

/// The products of numbers [from, to) of a row and all columns, and C, cut off at `bits` below the greatest
/// exponent.
template <class F, class Sum, int DEPTH, bool SPARSE>
Sums sums_of(const Factors<F, DEPTH, SPARSE>& factors, int row, int from, int to, const U* c, int bits) {
    const S *a = factors.a.significand + row * DEPTH, *a_exponent = factors.a.exponent + row * DEPTH;
    Eight whole, exponent_of_c;
    for (int n = 0; n < COLUMNS; ++n) {
        whole[n] = significand_of<Sum>(c[n]) * (1 << (bits - Sum::FRACTION));
        exponent_of_c[n] = exponent_of<Sum>(c[n]);
    }
    Sums sums;
    Eight most = exponent_of_c;
    for (int k = from; k < to; ++k) {
        const Eight exponent = a_exponent[k] + eight(factors.b.exponent + factors.row_of_b(row, k));
        most = exponent > most ? exponent : most;
    }
    sums.exponent = most;
    const Eight of_c = cut_off(whole, most - exponent_of_c);
    for (int n = 0; n < COLUMNS; ++n) sums.of[n] = of_c[n];
    const int up = bits - 2 * F::FRACTION;
    for (int first = from; first < to; first += 8) {  // the sum of eight products fits a word
        Eight sum = {};
        for (int k = first; k < std::min(first + 8, to); ++k) {
            const int at = factors.row_of_b(row, k);
            const Eight product = (a[k] * (1 << up)) * eight(factors.b.significand + at);
            sum += cut_off(product, most - (a_exponent[k] + eight(factors.b.exponent + at)));
        }
        for (int n = 0; n < COLUMNS; ++n) sums.of[n] += sum[n];
    }
    return sums;
}

/// magnitude 2^exponent in a format, cut off or rounded to nearest, even. Zero has no sign.
template <class F, bool NEAREST>
U packed(U64 magnitude, int exponent, U sign) {
    if (magnitude == 0) return 0;
    constexpr int BIAS = LAST<F> / 2;
    const int top = 63 - __builtin_clzll(magnitude);
    const int field = std::max(exponent + top + BIAS, 1);    // of a normal number
    const int down = field - BIAS - F::FRACTION - exponent;  // to the last place
    U64 kept = down > 0 ? (down > 63 ? 0 : magnitude >> down) : magnitude << -down;
    if (NEAREST && down > 0 && down < 64) {
        const U64 rest = magnitude << (64 - down), half = U64(1) << 63;
        kept += rest > half || (rest == half && (kept & 1));
    }
    const U64 bits = kept + (U64(field - 1) << F::FRACTION);  // the leading bit adds one to the exponent
    const U64 infinity = U64(LAST<F>) << F::FRACTION;
    return (bits == 0 ? 0 : sign) | U(std::min(bits, infinity)) << (31 - F::EXPONENT - F::FRACTION);
}

/// As a double, exactly.
template <class F>
double value_of(U word) {
    if (field_of<F>(word) == LAST<F>) {
        const bool is_nan = word << (1 + F::EXPONENT) >> (32 - F::FRACTION) != 0;
        return is_nan ? NAN : S(word) < 0 ? -INFINITY : INFINITY;
    }
    return word << 1 == 0 ? 0 : std::ldexp(significand_of<F>(word), exponent_of<F>(word) - F::FRACTION);
}

/// A sum in which an infinity or a NaN may be: that, or nothing.
template <class F, class Sum, int DEPTH, bool SPARSE>
bool is_special(const Factors<F, DEPTH, SPARSE>& factors, int row, int n, int from, int to, U c, U& result) {
    double sum = value_of<Sum>(c);
    bool any = field_of<Sum>(c) == LAST<Sum>;
    for (int k = from; k < to; ++k) {
        const U a = factors.a.word[row * DEPTH + k], b = factors.b.word[factors.row_of_b(row, k) + n];
        if (field_of<F>(a) != LAST<F> && field_of<F>(b) != LAST<F>) continue;
        any = true;
        sum += value_of<F>(a) * value_of<F>(b);
    }
    if (any) result = sum != sum ? 0x7fffffff : U(sum < 0) << 31 | U(LAST<Sum>) << (31 - Sum::EXPONENT);
    return any;
}

/// Where element (row, n) of C and D stands.
template <class Sum>
struct Place {
    static constexpr int EACH = 32 / Sum::BITS;
    int lane, reg, shift;
    Place(int row, int n)
        : lane(row % 8 * 4 + n / 2),
          reg(EACH == 1 ? row / 8 * 2 + n % 2 : row / 8),
          shift(EACH == 1 ? 0 : n % 2 * 16) {}
};

template <class F, class Sum, int DEPTH, bool SPARSE, int BLOCK>
void multiply(Warp& w, const Instruction& i, int bits) {
    const Factors<F, DEPTH, SPARSE> factors(w, i);
    const Rows before(w, i.c);
    constexpr int UNUSED = 32 - Sum::BITS;
    alignas(32) U d[ROWS][COLUMNS];
    for (int row = 0; row < ROWS; ++row) {
        U* const c = d[row];
        for (int n = 0; n < COLUMNS; ++n) {
            const Place<Sum> at(row, n);
            c[n] = before[at.reg][at.lane] >> at.shift << UNUSED;
        }
        for (int from = 0; from < DEPTH; from += BLOCK) {
            const Sums sums = sums_of<F, Sum>(factors, row, from, from + BLOCK, c, bits);
            for (int n = 0; n < COLUMNS; ++n) {
                const bool may_be_special = factors.is_special || field_of<Sum>(c[n]) == LAST<Sum>;
                if (may_be_special && is_special<F, Sum>(factors, row, n, from, from + BLOCK, c[n], c[n]))
                    continue;
                const S64 sum = sums.of[n];
                c[n] = packed < Sum,
                Sum::BITS == 16 > (U64(sum < 0 ? -sum : sum), sums.exponent[n] - bits, U(sum < 0) << 31);
            }
        }
    }
    Results results(w, i);
    for (int row = 0; row < ROWS; ++row)
        for (int n = 0; n < COLUMNS; ++n) {
            const Place<Sum> at(row, n);
            U& word = results[at.reg][at.lane];
            const U mask = (ALL >> UNUSED) << at.shift;
            word = (word & ~mask) | d[row][n] >> UNUSED << at.shift;
        }
}

/// Fraction bits that are kept of what is aligned, and how many products are added at once: as many as 128
/// bits of a row of A up to sm_89, all from sm_90 on. Source: MMA-Sim.
template <class F, class Sum, int DEPTH, bool SPARSE = false>
void hmma(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    constexpr int BLOCK = std::min(DEPTH, 128 / F::BITS);
    if (architecture().number >= 90)
        multiply<F, Sum, DEPTH, SPARSE, DEPTH>(w, i, 25);
    else
        multiply<F, Sum, DEPTH, SPARSE, BLOCK>(w, i, 24);
}

/// The handler for a depth of A's; null if there is none.
template <class F, class Sum>
Handler handler_of(int depth, bool is_sparse) {
    constexpr int LESS = F::BITS == 16 ? 8 : 4;
    if (depth == LESS) return is_sparse ? hmma<F, Sum, LESS, true> : hmma<F, Sum, LESS>;
    if (depth == 2 * LESS) return is_sparse ? hmma<F, Sum, 2 * LESS, true> : hmma<F, Sum, 2 * LESS>;
    return nullptr;
}

}  // namespace

Handler make_hmma(Decoder& d) {
    const tensor::Shape shape = tensor::shape_of(d);
    const bool is_of_floats = d.one_of({"F16", "F32"}, "its sums are neither halves nor floats") == 1;
    const bool bfloat = d.has("BF16"), tf32 = d.has("TF32");
    const bool is_sparse = tensor::take_operands(d, shape, tf32 ? 32 : 16, is_of_floats ? 32 : 16);
    if (is_sparse && architecture().number < 90)
        d.refuse("in which order a sparse one is added up is not known");
    const int depth = is_sparse ? shape.depth / 2 : shape.depth;
    Handler handler = nullptr;
    if (shape.rows == ROWS && is_of_floats)
        handler = bfloat ? handler_of<Bfloat, Float>(depth, is_sparse)
                  : tf32 ? handler_of<Tf32, Float>(depth, is_sparse)
                         : handler_of<Half, Float>(depth, is_sparse);
    else if (shape.rows == ROWS && !bfloat && !tf32)
        handler = handler_of<Half, Half>(depth, is_sparse);
    if (handler == nullptr) d.refuse("a product of matrices that is not known");
    return handler;
}

}  // namespace sass
