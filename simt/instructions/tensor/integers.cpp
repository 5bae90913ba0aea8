// IMMA and BMMA: products of matrices of bytes, of four bits, and of bits. DMMA: of doubles.
//
// Sums of integers wrap, or with .SAT stop at the limits. A tensor core adds the products of doubles one by one,
// each by a fused multiply-add, the first column of A first (seen on an H200).
#include <cmath>

#include "simt/instructions/arithmetic/reals.h"
#include "simt/instructions/tensor/fragments.h"

namespace sass {
namespace {

using tensor::COLUMNS;
using tensor::Results;
using tensor::Rows;

enum Kind : std::uint8_t { SIGNED_A = 1, SIGNED_B = 2, SATURATES = 4 };

/// M, of sums that have two registers for every eight rows.
int rows_of(const Instruction& i) { return tensor::Registers::of(i).d * 4; }

/// D = C + sum(k, column of words): `term` gives the sum of products of two words.
template <int WORDS, class Term>
void multiply(Warp& w, const Instruction& i, int rows, bool saturates, Term term) {
    const Rows a(w, i.a), b(w, i.b), c(w, i.c);
    S d[16][COLUMNS];
    const int each = rows / 8;
    for (int row = 0; row < rows; ++row)
        for (int n = 0; n < COLUMNS; ++n) {
            S64 sum = S(c[row / 8 * 2 + n % 2][row % 8 * 4 + n / 2]);
            for (int k = 0; k < WORDS; ++k)
                sum += term(a[k / 4 * each + row / 8][row % 8 * 4 + k % 4], b[k / 4][n * 4 + k % 4]);
            d[row][n] = saturates ? S(std::clamp<S64>(sum, INT32_MIN, INT32_MAX)) : S(U(sum));
        }
    Results results(w, i);
    for (int row = 0; row < rows; ++row)
        for (int n = 0; n < COLUMNS; ++n)
            results[row / 8 * 2 + n % 2][row % 8 * 4 + n / 2] = U(d[row][n]);
}

template <int BITS, bool IS_SIGNED>
S element(U word, int k) {
    const U shifted = word << (32 - BITS * (k + 1));
    return IS_SIGNED ? S(shifted) >> (32 - BITS) : S(shifted >> (32 - BITS));
}

template <int WORDS, int BITS, bool SIGN_A, bool SIGN_B>
void imma_of(Warp& w, const Instruction& i) {
    multiply<WORDS>(w, i, rows_of(i), i.kind & SATURATES, [](U a, U b) {
        S sum = 0;
        for (int k = 0; k < 32 / BITS; ++k) sum += element<BITS, SIGN_A>(a, k) * element<BITS, SIGN_B>(b, k);
        return sum;
    });
}
template <int WORDS, int BITS>
void imma(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    switch (i.kind & (SIGNED_A | SIGNED_B)) {
        case 0: return imma_of<WORDS, BITS, false, false>(w, i);
        case SIGNED_A: return imma_of<WORDS, BITS, true, false>(w, i);
        case SIGNED_B: return imma_of<WORDS, BITS, false, true>(w, i);
        default: return imma_of<WORDS, BITS, true, true>(w, i);
    }
}

/// A is sparse: of every four bytes of a row two are there.
template <int DEPTH>
void sparse_imma(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    const Rows a(w, i.a), b(w, i.b), c(w, i.c);
    const auto byte = [](U word, int k, bool is_signed) {
        return is_signed ? element<8, true>(word, k) : element<8, false>(word, k);
    };
    Results results(w, i);
    S d[16][COLUMNS];
    for (int row = 0; row < 16; ++row) {
        int columns[DEPTH / 2];
        tensor::columns_of(w, i, row, DEPTH, 4, 8, columns);
        for (int n = 0; n < COLUMNS; ++n) {
            S64 sum = S(c[row / 8 * 2 + n % 2][row % 8 * 4 + n / 2]);
            for (int k = 0; k < DEPTH / 2; ++k) {
                const int at = columns[k];
                sum += byte(a[k / 16 * 2 + row / 8][row % 8 * 4 + k / 4 % 4], k % 4, i.kind & SIGNED_A) *
                       byte(b[at / 16][n * 4 + at / 4 % 4], at % 4, i.kind & SIGNED_B);
            }
            d[row][n] = i.kind & SATURATES ? S(std::clamp<S64>(sum, INT32_MIN, INT32_MAX)) : S(U(sum));
        }
    }
    for (int row = 0; row < 16; ++row)
        for (int n = 0; n < COLUMNS; ++n)
            results[row / 8 * 2 + n % 2][row % 8 * 4 + n / 2] = U(d[row][n]);
}

template <int WORDS, bool IS_XOR>
void bmma(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    multiply<WORDS>(w, i, rows_of(i), false,
                    [](U a, U b) { return __builtin_popcount(IS_XOR ? a ^ b : a & b); });
}

template <int DEPTH>
void dmma(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    const Rows a(w, i.a), b(w, i.b), c(w, i.c);
    const int rows = rows_of(i) / 2, each = rows / 8;
    const auto at = [](const Rows& all, int k, int lane) {
        return bits<double>(U64(all[2 * k + 1][lane]) << 32 | all[2 * k][lane]);
    };
    double d[16][COLUMNS];
    for (int row = 0; row < rows; ++row)
        for (int n = 0; n < COLUMNS; ++n) {
            double sum = at(c, row / 8 * 2 + n % 2, row % 8 * 4 + n / 2);
            for (int k = 0; k < DEPTH; ++k) {
                const double x = at(a, k / 4 * each + row / 8, row % 8 * 4 + k % 4),
                             y = at(b, k / 4, n * 4 + k % 4), next = std::fma(x, y, sum);
                sum = next == next ? next : bits<double>(wide_nan(x, y, sum));
            }
            d[row][n] = sum;
        }
    Results results(w, i);
    for (int row = 0; row < rows; ++row)
        for (int n = 0; n < COLUMNS; ++n) {
            const U64 word = bits<U64>(d[row][n]);
            const int k = 2 * (row / 8 * 2 + n % 2), lane = row % 8 * 4 + n / 2;
            results[k][lane] = U(word);
            results[k + 1][lane] = U(word >> 32);
        }
}

}  // namespace

Handler make_imma(Decoder& d) {
    const tensor::Shape shape = tensor::shape_of(d);
    // The first format is A's, the second B's; one that is printed twice stands for both.
    int which = 0, bits = 0;
    for (const std::string& modifier : d.modifiers()) {
        const bool is_signed = modifier[0] == 'S';
        if (modifier != "S8" && modifier != "U8" && modifier != "S4" && modifier != "U4") continue;
        d.has(modifier);
        bits = modifier[1] - '0';
        d.out.kind |= is_signed ? (which == 0 ? SIGNED_A : SIGNED_B) : 0;
        ++which;
    }
    if (d.has("SAT")) d.out.kind |= SATURATES;
    if (which != 2) d.refuse("the types of its factors are not known");
    if (tensor::take_operands(d, shape, bits, 32)) {
        if (bits == 8 && shape.depth == 32) return sparse_imma<32>;
        if (bits == 8 && shape.depth == 64) return sparse_imma<64>;
    } else {
        if (bits == 8 && shape.depth == 16) return imma<4, 8>;
        if (bits == 8 && shape.depth == 32) return imma<8, 8>;
        if (bits == 4 && shape.depth == 32) return imma<4, 4>;
        if (bits == 4 && shape.depth == 64) return imma<8, 4>;
    }
    d.refuse("a product of matrices of integers that is not known");
}
Handler make_bmma(Decoder& d) {
    const tensor::Shape shape = tensor::shape_of(d);
    if (tensor::take_operands(d, shape, 1, 32)) d.refuse("its matrix is sparse");
    d.one_of({"POPC"}, "it does not count bits");
    const int operation = d.one_of({"AND", "XOR"}, "it combines bits in a way that is not known");
    if (shape.depth == 128) return operation == 0 ? bmma<4, false> : bmma<4, true>;
    if (shape.depth == 256) return operation == 0 ? bmma<8, false> : bmma<8, true>;
    d.refuse("a product of matrices of bits that is not known");
}
Handler make_dmma(Decoder& d) {
    const tensor::Shape shape = tensor::shape_of(d);
    if (tensor::take_operands(d, shape, 64, 64)) d.refuse("its matrix is sparse");
    if (shape.depth == 4) return dmma<4>;
    if (shape.depth == 8) return dmma<8>;
    if (shape.depth == 16) return dmma<16>;
    d.refuse("a product of matrices of doubles that is not known");
}

}  // namespace sass
