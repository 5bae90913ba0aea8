// Selection, minimum and maximum, comparison of integers.
#include <algorithm>

#include "simt/instructions/words.h"

namespace sass {
namespace {

void sel(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const U first = w.predicate(i.pa);
    each(D, lanes, [=](int l) { return first >> l & 1 ? a[l] : b[l]; });
}
void sel_wide(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const U first = w.predicate(i.pa);
    each_wide(D, lanes, [=](int l) { return first >> l & 1 ? wide(a, l) : wide(b, l); });
}

// --- Minimum and maximum

WORD_OP(MinS, S(a) < S(b) ? a : b)
WORD_OP(MaxS, S(a) > S(b) ? a : b)
WORD_OP(MinU, a < b ? a : b)
WORD_OP(MaxU, a > b ? a : b)

/// min or max of a (+ b) and more, by a predicate: true is min; of words, or of each half, of type X. kind:
/// bit 0 with 0 (RELU), 1 a + b, 2 of three. p and q, of the upper half, say where the result is a; of words
/// both do.
template <class X>
void minmax(Warp& w, const Instruction& i, U lanes) {
    constexpr int BITS = 8 * sizeof(X);
    const U *a = A, *b = B, *c = C;
    const bool relu = i.kind & 1, sum = i.kind & 2, three = i.kind & 4;
    const U least = w.predicate(i.pa), least2 = w.predicate(i.pb);
    const auto choose = [](X x, X y, U smaller) { return smaller & 1 ? std::min(x, y) : std::max(x, y); };
    const auto part = [=](int l, int at) {
        const U x = a[l] >> at, y = b[l] >> at;
        const X z = X(c[l] >> at);
        X r = sum ? choose(X(x + y), z, least >> l) : choose(X(x), X(y), least >> l);
        if (three) r = choose(r, z, least2 >> l);
        return relu ? std::max(r, X(0)) : r;
    };
    U is_a[2] = {0, 0};
    if (i.p != NO_PREDICATE || i.q != NO_PREDICATE)
        for (const int upper : {0, 1})
            is_a[upper] = where([=](int l) {
                const int at = upper * (32 - BITS);
                return part(l, at) == X(a[l] >> at);
            });
    each(D, lanes, [=](int l) {
        U word = 0;
        for (int at = 0; at < 32; at += BITS) word |= (U(part(l, at)) & ALL >> (32 - BITS)) << at;
        return word;
    });
    w.set_predicate(i.p, lanes, is_a[0]);
    w.set_predicate(i.q, lanes, is_a[1]);
}

template <class X>
void minmax_wide(Warp& w, const Instruction& i, U lanes) {
    const U *a = w.source(i.a), *b = w.source(i.b);
    const U least = w.predicate(i.pa);
    each_wide(D, lanes, [=](int l) {
        const X x = X(wide(a, l)), y = X(wide(b, l));
        return U64(least >> l & 1 ? std::min(x, y) : std::max(x, y));
    });
}

// --- Comparison

enum Comparison { F, LT, EQ, LE, GT, NE, GE, T };
template <class X>
bool compare(int comparison, X x, X y) {
    return (comparison & 1 && x < y) || (comparison & 2 && x == y) || (comparison & 4 && x > y);
}
template <class X, int COMPARISON>
U compared(const U* a, const U* b) {
    return where([=](int l) {
        const X x = X(a[l]), y = X(b[l]);
        switch (COMPARISON) {
            case LT: return x < y;
            case EQ: return x == y;
            case LE: return x <= y;
            case GT: return x > y;
            case NE: return x != y;
            case GE: return x >= y;
            default: return COMPARISON == T;
        }
    });
}
template <class X>
U compared(int comparison, const U* a, const U* b) {
    switch (comparison) {
        case LT: return compared<X, LT>(a, b);
        case EQ: return compared<X, EQ>(a, b);
        case LE: return compared<X, LE>(a, b);
        case GT: return compared<X, GT>(a, b);
        case NE: return compared<X, NE>(a, b);
        case GE: return compared<X, GE>(a, b);
        case T: return ALL;
        default: return 0;
    }
}

/// kind: bits 0-2 comparison, 3 unsigned, 4-5 how combined: and, or, xor; 6 the upper words after the lower
/// ones.
void isetp(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const int comparison = i.kind & 7;
    const bool is_unsigned = i.kind & 8;
    U result = is_unsigned ? compared<U>(comparison, a, b) : compared<S>(comparison, a, b);
    if (i.kind & 64) {
        const U equal = compared<U>(EQ, a, b), lower = w.predicate(i.pb);
        result = (result & ~equal) | (equal & lower);
    }
    set_both(w, i, lanes, result, i.kind >> 4 & 3);
}
template <class X>
void isetp_wide(Warp& w, const Instruction& i, U lanes) {
    const U *a = w.source(i.a), *b = w.source(i.b);
    const int comparison = i.kind & 7;
    const U result = comparison == T
                         ? ALL
                         : where([=](int l) { return compare(comparison, X(wide(a, l)), X(wide(b, l))); });
    set_both(w, i, lanes, result, i.kind >> 4 & 3);
}

}  // namespace

// --- Decoding

Handler make_sel(Decoder& d) { return d.has("64") ? sel_wide : sel; }
Handler make_minmax(Decoder& d) {
    Instruction& i = d.out;
    const bool is_unsigned = d.has("U32"), sum = d.base() == "VIADDMNMX", three = d.base() == "VIMNMX3";
    d.ignore({"S32"});
    if (d.base() == "IMNMX" && (i.p & i.q) != NO_PREDICATE) d.refuse("predicates");
    if (d.has("S64")) return minmax_wide<S64>;
    if (d.has("U64")) return minmax_wide<U64>;
    i.kind = std::uint8_t(d.has("RELU") | sum << 1 | three << 2);
    if (d.has("S16x2")) return minmax<std::int16_t>;
    if (d.has("U16x2")) return minmax<std::uint16_t>;
    if (d.flags({"S8x4", "U8x4"}) != 0 && (i.p & i.q) != NO_PREDICATE) d.refuse("predicates of bytes");
    if (d.has("S8x4")) return minmax<std::int8_t>;
    if (d.has("U8x4")) return minmax<std::uint8_t>;
    const bool is_plain = i.kind == 0 && i.p == NO_PREDICATE && (i.pa | INVERTED) == (PT | INVERTED);
    if (!is_plain) return is_unsigned ? minmax<U> : minmax<S>;
    if (i.pa == PT) return is_unsigned ? word_op<MinU> : word_op<MinS>;
    return is_unsigned ? word_op<MaxU> : word_op<MaxS>;
}
Handler make_isetp(Decoder& d) {
    const int comparison = d.one_of({"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"}, "comparison");
    d.out.kind = std::uint8_t(comparison | d.has("U32") << 3 | combination(d) << 4 | d.has("EX") << 6);
    if (d.has("S64")) return isetp_wide<S64>;
    if (d.has("U64")) return isetp_wide<U64>;
    return isetp;
}

}  // namespace sass
