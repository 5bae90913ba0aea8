// Arithmetic of floats and doubles. Results are IEEE 754's, bit for bit, but for the special functions
// (MUFU), whose results on a GPU come from tables that are not published: here they are the nearest float.
#include <cmath>

#include "simt/instructions/arithmetic/half.h"
#include "simt/instructions/arithmetic/reals.h"
#include "simt/instructions/words.h"

namespace sass {
namespace {

constexpr U QUIET = 0x7fffffff;  // what a GPU makes of every NaN

/// kind: bits 0-1 rounding (nearest, down, up, to zero), 2 flushes denormals, 3 saturates to [0, 1].
enum : int { DOWN = 1, UP = 2, TO_ZERO = 3, FLUSH = 4, SATURATE = 8, PLAIN = 0 };

int rounding_of(Decoder& d) {
    d.has("RN");
    return d.has("RM") ? DOWN : d.has("RP") ? UP : d.has("RZ") ? TO_ZERO : 0;
}
int kind_of(Decoder& d) {
    return rounding_of(d) | (d.has("FTZ") ? FLUSH : 0) | (d.has("SAT") ? SATURATE : 0);
}

/// f under another rounding of the host's. The volatile copies keep the compiler from evaluating it
/// elsewhere.
template <class X, class F>
X rounded(int rounding, F f, X a, X b, X c) {
    volatile X va = a, vb = b, vc = c;
    const Rounding with(rounding);
    volatile X result = f(va, vb, vc);
    return result;
}

struct Plus {
    template <class X>
    X operator()(X a, X b, X) const {
        return a + b;
    }
};
struct Times {
    template <class X>
    X operator()(X a, X b, X) const {
        return a * b;
    }
};
struct Fused {
    float operator()(float a, float b, float c) const { return __builtin_fmaf(a, b, c); }
    double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
};

template <class F>
void float_op(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    if (i.kind == PLAIN) {
        return each(D, lanes, [=](int l) {
            const float r = F{}(f32(a[l]), f32(b[l]), f32(c[l]));
            return r != r ? QUIET : u32(r);
        });
    }
    U result[LANES];
    for (int l = 0; l < LANES; ++l) {
        float x = f32(a[l]), y = f32(b[l]), z = f32(c[l]);
        if (i.kind & FLUSH) x = flushed(x), y = flushed(y), z = flushed(z);
        float r = i.kind & 3 ? rounded<float>(i.kind & 3, F{}, x, y, z) : F{}(x, y, z);
        if (i.kind & FLUSH) r = flushed(r);
        if (i.kind & SATURATE) r = r > 0 ? (r > 1 ? 1 : r) : 0;  // NaN gives 0
        result[l] = r != r ? QUIET : u32(r);
    }
    each(D, lanes, [&](int l) { return result[l]; });
}

double f64(const U* rows, int l) { return bits<double>(wide(rows, l)); }

template <class F>
void double_op(Warp& w, const Instruction& i, U lanes) {
    const U *a = w.source(i.a), *b = w.source(i.b), *c = w.source(i.c);
    double result[LANES];
    if (const int r = i.kind & 3; r != 0)
        for (int l = 0; l < LANES; ++l) result[l] = rounded<double>(r, F{}, f64(a, l), f64(b, l), f64(c, l));
    else
        for (int l = 0; l < LANES; ++l) result[l] = F{}(f64(a, l), f64(b, l), f64(c, l));
    U64 any_nan = 0;
    for (int l = 0; l < LANES; ++l) any_nan |= U64(result[l] != result[l]);
    for (int l = 0; any_nan != 0 && l < LANES; ++l)
        if (result[l] != result[l]) result[l] = bits<double>(wide_nan(f64(a, l), f64(b, l), f64(c, l)));
    each_wide(D, lanes, [&](int l) { return bits<U64>(result[l]); });
}

/// FMUL.M4 and its kin: a product and a power of two, i.number, rounded once.
void scaled_product(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const double scale = f32(i.number);
    const auto kept = [=](float x) { return i.kind & FLUSH ? flushed(x) : x; };
    each(D, lanes, [=](int l) {
        const float r = kept(float(double(kept(f32(a[l]))) * double(kept(f32(b[l]))) * scale));
        return r != r ? QUIET : u32(r);
    });
}

template <class F>
Handler float_form(Decoder& d) {
    d.out.kind = std::uint8_t(kind_of(d));
    return float_op<F>;
}
template <class F>
Handler double_form(Decoder& d) {
    d.out.kind = std::uint8_t(rounding_of(d));
    return double_op<F>;
}

// --- Minimum, maximum

template <bool IS_PLAIN>
void fmnmx(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const U least = w.predicate(i.pa);
    const int kind = IS_PLAIN ? int(PLAIN) : i.kind;
    each(D, lanes, [=](int l) {
        float x = f32(a[l]), y = f32(b[l]);
        if (kind & FLUSH) x = flushed(x), y = flushed(y);
        const float r = extreme(x, y, least >> l & 1, kind);
        return r != r ? QUIET : u32(r);
    });
}

/// Of three, from sm_100 on.
void fmnmx3(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    const U least = w.predicate(i.pa);
    each(D, lanes, [=](int l) {
        const auto of = [&](const U* row) { return i.kind & FLUSH ? flushed(f32(row[l])) : f32(row[l]); };
        const float two = extreme(of(a), of(b), least >> l & 1, PLAIN);
        const float r = extreme(two, of(c), least >> l & 1, PLAIN);
        return r != r ? QUIET : u32(r);
    });
}

// --- Comparison

void dsetp(Warp& w, const Instruction& i, U lanes) {
    const U *a = w.source(i.a), *b = w.source(i.b);
    set_both(w, i, lanes, where([&](int l) { return i.kind & 15 & relation(f64(a, l), f64(b, l)); }),
             i.kind >> 4);
}
/// DSETP.MIN and .MAX: p is whether a is the lesser or greater, q whether both are NaNs.
void dsetp_extreme(Warp& w, const Instruction& i, U lanes) {
    const U *a = w.source(i.a), *b = w.source(i.b);
    const U in = w.predicate(i.pa);
    const U first = where([&](int l) { return is_extreme(f64(a, l), f64(b, l), i.number); });
    const U nans = where([&](int l) { return std::isnan(f64(a, l)) && std::isnan(f64(b, l)); });
    w.set_predicate(i.p, lanes, first & in);
    w.set_predicate(i.q, lanes, nans & in);
}

/// Where the comparison of floats holds that i.kind names.
U compared(Warp& w, const Instruction& i, bool flush) {
    const U *a = A, *b = B;
    return where([&](int l) {
        float x = f32(a[l]), y = f32(b[l]);
        if (flush) x = flushed(x), y = flushed(y);
        return i.kind & 15 & relation(x, y);
    });
}
void fsetp(Warp& w, const Instruction& i, U lanes) {
    set_both(w, i, lanes, compared(w, i, i.number), i.kind >> 4);
}
/// FSET: the comparison as a word: all ones, or 1.0 with .BF. number: bit 0 .BF, 1 .FTZ.
void fset(Warp& w, const Instruction& i, U lanes) {
    const U in = w.predicate(i.pa), yes = i.number & 1 ? 0x3f800000 : ALL;
    const U result = combined(compared(w, i, i.number & 2), in, i.kind >> 4);
    each(D, lanes, [=](int l) { return result >> l & 1 ? yes : 0; });
}

/// FCHK: whether a / b needs division's slow path: an operand or the quotient out of the range in which the
/// fast one is right.
void fchk(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const auto exponent = [](U x) { return int(x >> 23 & 255); };
    w.set_predicate(i.p, lanes, where([&](int l) {
                        const int x = exponent(a[l]), y = exponent(b[l]);
                        return x == 0 || x == 255 || y == 0 || y == 255 || y >= 253 || x - y >= 126 ||
                               x - y <= -126 || x <= 24;
                    }));
}

// --- Special functions

enum Function { RCP, RSQ, SQRT, EX2, LG2, SIN, COS, TANH, RCP64H, RSQ64H };
/// Angles are given in turns, of which whole ones do not count; zero keeps its sign.
double angle(double turns) {
    const double part = turns - std::rint(turns);
    return 6.283185307179586476925 * (part == 0 ? 0 * turns : part);
}
double special(int function, double x) {
    switch (function) {
        case RCP: return 1 / x;
        case RSQ: return 1 / std::sqrt(x);
        case SQRT: return std::sqrt(x);
        case EX2: return std::exp2(x);
        case LG2: return std::log2(x);
        case SIN: return std::sin(angle(x));
        case COS: return std::cos(angle(x));
        default: return std::tanh(x);
    }
}
/// kind: bits 0-3 the function, 4 of halves, 5 of bfloat16. Only TANH keeps denormals (seen on an H200).
void mufu(Warp& w, const Instruction& i, U lanes) {
    const U* b = B;
    const int function = i.kind & 15;
    const bool halves = i.kind & 16, bfloat = i.kind & 32;
    const auto kept = [=](float x) { return function == TANH ? x : flushed(x); };
    each(D, lanes, [&](int l) -> U {
        const float x = kept(halves ? float(half_of(b[l], int(i.number), bfloat)) : f32(b[l]));
        const float r = kept(float(special(function, x)));
        return halves ? half_bits(r, bfloat) : r != r ? QUIET : u32(r);
    });
}
/// RCP64H, RSQ64H: of the double whose upper word is given, the upper word; without denormals.
void mufu_wide(Warp& w, const Instruction& i, U lanes) {
    const U* b = B;
    each(D, lanes, [&](int l) -> U {
        const double x = flushed(bits<double>(U64(b[l]) << 32));
        const double r = flushed(special(i.kind == RCP64H ? RCP : RSQ, x));
        return r != r ? QUIET : U(bits<U64>(r) >> 32);
    });
}

}  // namespace

// --- Decoding

int comparison_of(Decoder& d) {
    return d.one_of({"F", "LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU",
                     "GEU", "T"},
                    "comparison");
}

Handler make_fadd(Decoder& d) { return float_form<Plus>(d); }
Handler make_fmul(Decoder& d) {
    static constexpr float SCALES[] = {0.125f, 0.25f, 0.5f, 2, 4, 8};
    const int which = d.one_of({"D8", "D4", "D2", "M2", "M4", "M8"});
    if (which < 0) return float_form<Times>(d);
    d.out.kind = std::uint8_t(kind_of(d));
    if (d.out.kind & ~FLUSH) d.refuse("a scaled product that is rounded or saturated otherwise");
    d.out.number = u32(SCALES[which]);
    return scaled_product;
}
Handler make_ffma(Decoder& d) { return float_form<Fused>(d); }
Handler make_dadd(Decoder& d) { return double_form<Plus>(d); }
Handler make_dmul(Decoder& d) { return double_form<Times>(d); }
Handler make_dfma(Decoder& d) { return double_form<Fused>(d); }
Handler make_fmnmx(Decoder& d) {
    d.out.kind = std::uint8_t((d.has("FTZ") ? FLUSH : 0) | choice_of(d));
    if (d.out.kind & XORSIGN) keep_signs(d);
    return d.out.kind == PLAIN ? fmnmx<true> : fmnmx<false>;
}
Handler make_fmnmx3(Decoder& d) {
    d.out.kind = d.has("FTZ") ? FLUSH : 0;
    return fmnmx3;
}
Handler make_fsetp(Decoder& d) {
    const bool least = d.has("MIN"), is_extreme = d.has("MAX") || least;
    d.out.number = d.has("FTZ") || least;
    const int comparison = is_extreme ? 0 : comparison_of(d), how = combination(d);
    if (is_extreme && how != 0) d.refuse("combination");
    d.out.kind = std::uint8_t(comparison | how << 4);
    return is_extreme ? dsetp_extreme : d.base() == "DSETP" ? dsetp : fsetp;
}
Handler make_fset(Decoder& d) {
    d.out.number = d.flags({"BF", "FTZ"});
    d.out.kind = std::uint8_t(comparison_of(d) | combination(d) << 4);
    return fset;
}
Handler make_fchk(Decoder& d) {
    d.ignore({"DIVIDE"});
    return fchk;
}
Handler make_mufu(Decoder& d) {
    const int function =
        d.one_of({"RCP", "RSQ", "SQRT", "EX2", "LG2", "SIN", "COS", "TANH", "RCP64H", "RSQ64H"}, "function");
    const bool bfloat = d.has("BF16"), halves = d.has("F16") || bfloat;
    d.out.kind = std::uint8_t(function | halves << 4 | bfloat << 5);
    d.out.number = d.operand(1).suffix == "H1";
    return function >= RCP64H ? mufu_wide : mufu;
}

}  // namespace sass
