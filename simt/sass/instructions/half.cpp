// Pairs of half-precision or bfloat16 numbers.
#include "simt/sass/instructions/half.h"

#include <cmath>

#include "simt/sass/instructions/families.h"
#include "simt/sass/instructions/words.h"

namespace sass {
namespace {

enum { BFLOAT = 1, FLUSH = 2, SATURATE = 4, RELU = 8, TO_FLOAT = 16, KEEPS_NAN = 32, MAXIMUM = 64 };

double half_of(U pair, int which, bool bfloat) {
    const auto h = std::uint16_t(pair >> 16 * which);
    return bfloat ? f32(U(h) << 16) : half_to_float(h);
}
U half_bits(double x, bool bfloat) { return bfloat ? float_to_bfloat(x) : float_to_half(x); }

/// a b + c, rounded once more only: a sum that double precision cuts gets an odd last digit, which tells the
/// later rounding on which side of a tie it lies (round to odd).
double fused(double a, double b, double c) {
    const double product = a * b, sum = product + c;  // the product is exact: 22 digits at most
    if (!std::isfinite(sum)) return sum;
    const double part = sum - product, error = (product - (sum - part)) + (c - part);
    if (error == 0) return sum;
    auto word = bits<std::uint64_t>(sum);
    if (word & 1) return sum;
    const bool grows = (error > 0) == (sum > 0);
    return bits<double>(grows ? word + 1 : word - 1);
}

bool has_nan(U pair, bool bfloat) {
    const double low = half_of(pair, 0, bfloat), high = half_of(pair, 1, bfloat);
    return low != low || high != high;
}
WORD_OP(Constant, c)

enum Operation { ADD, MULTIPLY, FMA, MINMAX };

template <int OPERATION>
void half_op(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    const bool bfloat = i.kind & BFLOAT;
    const U least = OPERATION == MINMAX ? w.predicate(i.pa) : 0;
    each(D, lanes, [&](int l) {
        U result = 0;
        for (int h = 0; h < 2; ++h) {
            double x = half_of(a[l], h, bfloat), y = half_of(b[l], h, bfloat), z = half_of(c[l], h, bfloat),
                   r;
            if (i.kind & FLUSH) {
                const double smallest = bfloat ? 1.1754943508222875e-38 : 6.103515625e-05;
                for (double* v : {&x, &y, &z})
                    if (std::fabs(*v) < smallest) *v = std::copysign(0., *v);
            }
            if (OPERATION == ADD)
                r = fused(x, 1, y);
            else if (OPERATION == MULTIPLY)
                r = x * y;
            else if (OPERATION == FMA)
                r = fused(x, y, z);
            else if (x != x || y != y)
                r = i.kind & KEEPS_NAN || (x != x && y != y) ? NAN : x != x ? y : x;
            else if (x == y)
                r = std::signbit(x) == bool(least >> l & 1) ? x : y;
            else
                r = (x < y) == bool(least >> l & 1) ? x : y;
            if (i.kind & TO_FLOAT) return h == 0 ? r != r ? 0x7fffffff : u32(float(r)) : result;
            if (i.kind & SATURATE) r = r > 0 ? (r > 1 ? 1 : r) : 0;
            if (i.kind & RELU && !(r > 0) && r == r) r = 0;
            result |= half_bits(r, bfloat) << 16 * h;
        }
        return result;
    });
}
/// HADD2.F32: one half becomes a float.
void half_to_float_op(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const bool bfloat = i.kind & BFLOAT;
    each(D, lanes, [&](int l) {
        const float r = float(half_of(a[l], 0, bfloat)) + float(half_of(b[l], 0, bfloat));
        return r != r ? 0x7fffffffu : u32(r);
    });
}

/// A source; two immediate values, of the upper and of the lower half, are one.
Source half_source(Decoder& d, bool bfloat) {
    if (d.peek().kind == Operand::immediate && d.left() > 1 && d.peek(1).kind == Operand::immediate) {
        const auto value = [&] {
            const Operand& operand = d.take();
            return half_bits(operand.is_float ? operand.fraction : double(operand.value), bfloat);
        };
        const U upper = value(), lower = value();
        return d.immediate_row(upper << 16 | lower);
    }
    return d.source(Decoder::halves);
}

int half_kind(Decoder& d) {
    const bool bfloat = d.has("BF16_V2") | d.has("BF16");
    d.ignore({"MMA", "PACK_AB", "F32ACC"});
    return (bfloat ? BFLOAT : 0) | (d.has("FTZ") ? FLUSH : 0) | (d.has("SAT") ? SATURATE : 0) |
           (d.has("RELU") ? RELU : 0) | (d.has("NAN") ? KEEPS_NAN : 0);
}

void make_half(Decoder& d) {
    const int kind = half_kind(d);
    const bool to_float = d.has("F32"), fma = d.base() == "HFMA2";
    d.out.kind = std::uint8_t(kind);
    d.out.d = d.destination();
    d.out.a = half_source(d, kind & BFLOAT);
    d.out.b = half_source(d, kind & BFLOAT);
    if (fma) d.out.c = half_source(d, kind & BFLOAT);
    if (to_float) return d.finish(half_to_float_op);
    if (d.base() == "HMNMX2") {
        d.out.pa = d.predicate_source();
        return d.finish(half_op<MINMAX>);
    }
    // -0 * 0 + an immediate value: how ptxas likes to load a constant.
    const U* const value = fma && kind <= BFLOAT ? d.value_of(d.out.c) : nullptr;
    if (value != nullptr && is_zero(d.out.a) && d.out.a.modifier != 0 && is_zero(d.out.b) &&
        !has_nan(*value, kind)) {
        d.out.a = d.out.b = Source();
        return d.finish(word_op<Constant>);
    }
    d.finish(fma ? half_op<FMA> : d.base() == "HMUL2" ? half_op<MULTIPLY> : half_op<ADD>);
}

int relation(double x, double y) { return x < y ? 1 : x == y ? 2 : x > y ? 4 : 8; }

int half_comparison(Decoder& d) {
    static const struct {
        const char* name;
        int bits;
    } NAMES[] = {{"LT", 1},  {"EQ", 2},  {"LE", 3},   {"GT", 4},   {"NE", 5},   {"GE", 6},   {"NUM", 7},
                 {"NAN", 8}, {"LTU", 9}, {"EQU", 10}, {"LEU", 11}, {"GTU", 12}, {"NEU", 13}, {"GEU", 14}};
    int found = -1;
    for (const auto& name : NAMES)
        if (d.has(name.name)) found = name.bits;
    if (found < 0) d.refuse("comparison");
    return found;
}

/// HSETP2: p of the lower halves, q of the upper ones; with .H_AND p of both.
void hsetp2(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const bool bfloat = i.number & BFLOAT;
    const U in = w.predicate(i.pa);
    const int combined = i.kind >> 4 & 3;
    const auto half = [&](int h) {
        const U r = where([&](int l) {
            return (i.kind & 15 & relation(half_of(a[l], h, bfloat), half_of(b[l], h, bfloat))) != 0;
        });
        return combined == 0 ? r & in : combined == 1 ? r | in : r ^ in;
    };
    const U low = half(0), high = half(1);
    if (i.kind & 64) {
        w.set_predicate(i.p, lanes, low & high);
        w.set_predicate(i.q, lanes, ~(low & high));
    } else {
        w.set_predicate(i.p, lanes, low);
        w.set_predicate(i.q, lanes, high);
    }
}
/// HSET2: the same as a pair of halves: 1.0 with .BF, else all ones.
void hset2(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const bool bfloat = i.number & BFLOAT;
    const U in = w.predicate(i.pa), yes = i.number & 256 ? half_bits(1, bfloat) : 0xffff;
    const int combined = i.kind >> 4 & 3;
    each(D, lanes, [&](int l) {
        U result = 0;
        for (int h = 0; h < 2; ++h) {
            bool r = (i.kind & 15 & relation(half_of(a[l], h, bfloat), half_of(b[l], h, bfloat))) != 0;
            const bool other = in >> l & 1;
            r = combined == 0 ? r && other : combined == 1 ? r || other : r != other;
            result |= (r ? yes : 0) << 16 * h;
        }
        return result;
    });
}
void make_hset(Decoder& d) {
    const bool to_predicates = d.base() == "HSETP2", both = d.has("H_AND");
    d.out.number = U(half_kind(d)) | (d.has("BF") ? 256 : 0);
    const int comparison = half_comparison(d), combined = combination(d);
    d.out.kind = std::uint8_t(comparison | combined << 4 | both << 6);
    const bool bfloat = d.out.number & BFLOAT;
    if (to_predicates) {
        d.out.p = d.predicate_destination();
        d.out.q = d.predicate_destination();
    } else {
        d.out.d = d.destination();
    }
    d.out.a = half_source(d, bfloat);
    d.out.b = half_source(d, bfloat);
    d.out.pa = d.predicate_source();
    d.finish(to_predicates ? hsetp2 : hset2);
}

}  // namespace

std::vector<Opcode> half_opcodes() {
    return {{"HFMA2", make_half},  {"HADD2", make_half},  {"HMUL2", make_half},
            {"HMNMX2", make_half}, {"HSETP2", make_hset}, {"HSET2", make_hset}};
}

}  // namespace sass
