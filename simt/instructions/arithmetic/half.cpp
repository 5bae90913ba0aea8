// Pairs of half-precision or bfloat16 numbers.
#include "simt/instructions/arithmetic/half.h"

#include <cmath>

#include "simt/instructions/arithmetic/reals.h"
#include "simt/instructions/words.h"

namespace sass {
namespace {

enum { BFLOAT = 1, FTZ = 2, SAT = 4, RELU = 8 };  // and a Choice

/// .FTZ: what is less than the least normal half becomes a zero of its sign.
inline double normal(double x) { return std::fabs(x) < 0x1p-14 ? std::copysign(0., x) : x; }
/// One number of a pair; with .FTZ without denormals.
inline double operand(U pair, int which, int kind) {
    const double x = half_of(pair, which, kind & BFLOAT);
    return kind & FTZ ? normal(x) : x;
}

bool has_nan(U pair, bool bfloat) {
    const double low = half_of(pair, 0, bfloat), high = half_of(pair, 1, bfloat);
    return low != low || high != high;
}
WORD_OP(Third, c)

enum Operation { ADD, MULTIPLY, FMA, MINMAX, MINMAX3 };

template <int OPERATION>
void half_op(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    const U least = OPERATION >= MINMAX ? w.predicate(i.pa) : 0;
    const int kind = i.kind;
    each(D, lanes, [=](int l) {
        U result = 0;
        for (int h = 0; h < 2; ++h) {
            const double x = operand(a[l], h, kind), y = operand(b[l], h, kind);
            double r;
            if (OPERATION == ADD)
                r = fused(x, 1, y);
            else if (OPERATION == MULTIPLY)
                r = x * y;
            else if (OPERATION == FMA)
                r = fused(x, y, operand(c[l], h, kind));
            else
                r = extreme(x, y, least >> l & 1, kind);
            if (OPERATION == MINMAX3) r = extreme(r, operand(c[l], h, kind), least >> l & 1, kind);
            if (kind & FTZ) r = normal(to_digits(r, 11, -100, 0));  // rounded as if there were no denormals
            if (kind & SAT) r = r > 0 ? (r > 1 ? 1 : r) : 0;
            if (kind & RELU && !(r > 0) && r == r) r = 0;
            result |= U(half_bits(r, kind & BFLOAT)) << 16 * h;
        }
        return result;
    });
}
float saturated(float x) { return x > 0 ? std::fmin(x, 1) : 0; }
/// HADD2.F32: one half becomes a float.
void half_to_float_op(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const bool bfloat = i.kind & BFLOAT;
    each(D, lanes, [&](int l) {
        float r = float(half_of(a[l], 0, bfloat)) + float(half_of(b[l], 0, bfloat));
        if (i.kind & SAT) r = saturated(r);
        return r != r ? 0x7fffffffu : u32(r);
    });
}
int half_kind(Decoder& d) {
    const bool bfloat = d.has("BF16_V2") | d.has("BF16");
    d.ignore({"MMA", "PACK_AB", "F32ACC"});
    if (bfloat && d.has("FTZ")) d.refuse("flushing");
    return (bfloat ? BFLOAT : 0) | (d.has("FTZ") ? FTZ : 0) | (d.has("SAT") ? SAT : 0) |
           (d.has("RELU") ? RELU : 0) | choice_of(d);
}

/// HSETP2: p of the lower halves, q of the upper ones; with .H_AND p of both.
void hsetp2(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const int kind = int(i.number);
    const U in = w.predicate(i.pa);
    const auto half = [&](int h) {
        const U r = where(
            [&](int l) { return i.kind & 15 & relation(operand(a[l], h, kind), operand(b[l], h, kind)); });
        return combined(r, in, i.kind >> 4 & 3);
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
    const int kind = int(i.number);
    const U in = w.predicate(i.pa), yes = kind & 256 ? half_bits(1, kind & BFLOAT) : 0xffff;
    each(D, lanes, [&](int l) {
        U result = 0;
        for (int h = 0; h < 2; ++h) {
            const bool r = i.kind & 15 & relation(operand(a[l], h, kind), operand(b[l], h, kind));
            result |= (combined(r, in >> l & 1, i.kind >> 4 & 3) ? yes : 0) << 16 * h;
        }
        return result;
    });
}

}  // namespace

// --- Decoding

Handler make_half(Decoder& d) {
    const int kind = half_kind(d);
    const bool fma = d.base() == "HFMA2";
    d.out.kind = std::uint8_t(kind);
    if (d.has("F32")) {
        if (kind & ~(BFLOAT | SAT) || d.base() != "HADD2") d.refuse("form");
        return half_to_float_op;
    }
    if (d.base() == "VHMNMX") {
        if (kind & XORSIGN) d.refuse("signs");
        return half_op<MINMAX3>;
    }
    if (d.base() == "HMNMX2") {
        if (kind & XORSIGN) keep_signs(d);
        return half_op<MINMAX>;
    }
    // -0 * 0 + an immediate value: how ptxas likes to load a constant.
    const U* const value = fma && kind <= BFLOAT ? d.value_of(d.out.c) : nullptr;
    if (value != nullptr && is_zero(d.out.a) && d.out.a.modifier != 0 && is_zero(d.out.b) &&
        !has_nan(*value, kind)) {
        d.out.a = d.out.b = Source();
        return word_op<Third>;
    }
    return fma ? half_op<FMA> : d.base() == "HMUL2" ? half_op<MULTIPLY> : half_op<ADD>;
}
Handler make_hset(Decoder& d) {
    d.out.number = U(half_kind(d)) | (d.has("BF") ? 256 : 0);
    const int comparison = comparison_of(d);
    d.out.kind = std::uint8_t(comparison | combination(d) << 4 | d.has("H_AND") << 6);
    return d.base() == "HSETP2" ? hsetp2 : hset2;
}

}  // namespace sass
