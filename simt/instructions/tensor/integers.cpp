// IMMA and BMMA: products of matrices of bytes, of four bits, and of bits. DMMA: of doubles.
//
// Sums of integers wrap, or with .SAT stop at the limits. A tensor core adds the products of doubles one by
// one, each by a fused multiply-add, the first column of A first (seen on an H200).
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

/// D = C + sums; `sum(row, n)` gives that of the products of a row and a column.
template <class Sum>
void add(Warp& w, const Instruction& i, int rows, Sum sum) {
    const Rows c(w, i.c);
    const bool saturates = i.kind & SATURATES;
    U d[16][COLUMNS];
    for (int row = 0; row < rows; ++row)
        for (int n = 0; n < COLUMNS; ++n) {
            const S64 total = S64(S(c[row / 8 * 2 + n % 2][row % 8 * 4 + n / 2])) + sum(row, n);
            d[row][n] = saturates ? U(std::clamp<S64>(total, INT32_MIN, INT32_MAX)) : U(total);
        }
    Results results(w, i);
    for (int row = 0; row < rows; ++row)
        for (int n = 0; n < COLUMNS; ++n) results[row / 8 * 2 + n % 2][row % 8 * 4 + n / 2] = d[row][n];
}

using Element = std::int16_t;

/// The numbers of a word, of so many bits each, the lowest first.
template <int BITS>
void take_apart(U word, bool is_signed, Element* to) {
    for (int k = 0; k < 32 / BITS; ++k) {
        const U highest = word << (32 - BITS * (k + 1));
        to[k] = Element(is_signed ? S(highest) >> (32 - BITS) : S(highest >> (32 - BITS)));
    }
}

/// A matrix by its rows, or B by its columns; of A there is a register for each eight rows.
template <int BITS, int DEPTH, int MOST>
struct Elements {
    alignas(32) Element of[MOST][DEPTH];
    Elements(const Rows& registers, int rows, bool is_signed) {
        constexpr int EACH = 32 / BITS;
        for (int k = 0; k < DEPTH / EACH; ++k)
            for (int row = 0; row < rows; ++row)
                take_apart<BITS>(registers[k / 4 * (rows / 8) + row / 8][row % 8 * 4 + k % 4], is_signed,
                                 of[row] + k * EACH);
    }
};

template <int DEPTH>
S product(const Element (&a)[DEPTH], const Element (&b)[DEPTH]) {
    S sum = 0;
    for (int k = 0; k < DEPTH; ++k) sum += S(a[k]) * S(b[k]);
    return sum;
}

template <int BITS, int DEPTH>
void imma(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    const int rows = rows_of(i);
    const Elements<BITS, DEPTH, 16> a(Rows(w, i.a), rows, i.kind & SIGNED_A);
    const Elements<BITS, DEPTH, COLUMNS> b(Rows(w, i.b), COLUMNS, i.kind & SIGNED_B);
    add(w, i, rows, [&](int row, int n) { return product(a.of[row], b.of[n]); });
}

/// A is sparse: of every four bytes of a row two are there.
template <int DEPTH>
void sparse_imma(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    const Elements<8, DEPTH / 2, 16> there(Rows(w, i.a), 16, i.kind & SIGNED_A);
    const Elements<8, DEPTH, COLUMNS> b(Rows(w, i.b), COLUMNS, i.kind & SIGNED_B);
    alignas(32) Element a[16][DEPTH] = {};
    for (int row = 0; row < 16; ++row) {
        int columns[DEPTH / 2];
        tensor::columns_of(w, i, row, DEPTH, 4, 8, columns);
        for (int k = 0; k < DEPTH / 2; ++k) a[row][columns[k]] = there.of[row][k];
    }
    add(w, i, 16, [&](int row, int n) { return product(a[row], b.of[n]); });
}

/// Words of each row, whose common bits count, or those that differ.
template <int WORDS, bool IS_XOR>
void bmma(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    const Rows a(w, i.a), b(w, i.b);
    const int rows = rows_of(i);
    add(w, i, rows, [&](int row, int n) {
        int sum = 0;
        for (int k = 0; k < WORDS; ++k) {
            const U of_a = a[k / 4 * (rows / 8) + row / 8][row % 8 * 4 + k % 4],
                    of_b = b[k / 4][n * 4 + k % 4];
            sum += __builtin_popcount(IS_XOR ? of_a ^ of_b : of_a & of_b);
        }
        return sum;
    });
}

template <int DEPTH>
void dmma(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    const Rows a(w, i.a), b(w, i.b), c(w, i.c);
    const int rows = rows_of(i) / 2, each = rows / 8;
    const auto at = [](const Rows& all, int k, int lane) {
        return bits<double>(U64(all[2 * k + 1][lane]) << 32 | all[2 * k][lane]);
    };
    double x[16][DEPTH], y[DEPTH][COLUMNS], d[16][COLUMNS];
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < DEPTH; ++k) x[row][k] = at(a, k / 4 * each + row / 8, row % 8 * 4 + k % 4);
    for (int k = 0; k < DEPTH; ++k)
        for (int n = 0; n < COLUMNS; ++n) y[k][n] = at(b, k / 4, n * 4 + k % 4);
    for (int row = 0; row < rows; ++row) {
        double first[COLUMNS];
        for (int n = 0; n < COLUMNS; ++n)
            first[n] = d[row][n] = at(c, row / 8 * 2 + n % 2, row % 8 * 4 + n / 2);
        for (int k = 0; k < DEPTH; ++k)
            for (int n = 0; n < COLUMNS; ++n) d[row][n] = std::fma(x[row][k], y[k][n], d[row][n]);
        for (int n = 0; n < COLUMNS; ++n) {
            if (d[row][n] == d[row][n]) continue;
            double sum = first[n];  // again, for the bits of the NaN
            for (int k = 0; k < DEPTH; ++k) {
                const double next = std::fma(x[row][k], y[k][n], sum);
                sum = next == next ? next : bits<double>(wide_nan(x[row][k], y[k][n], sum));
            }
            d[row][n] = sum;
        }
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
        if (bits == 8 && shape.depth == 16) return imma<8, 16>;
        if (bits == 8 && shape.depth == 32) return imma<8, 32>;
        if (bits == 4 && shape.depth == 32) return imma<4, 32>;
        if (bits == 4 && shape.depth == 64) return imma<4, 64>;
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
