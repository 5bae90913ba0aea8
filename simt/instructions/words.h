// What the families of instructions are written in: words, rows of operands, and handlers made from a
// formula.
#pragma once
#include <algorithm>

#include "simt/decode/decode.h"
#include "simt/run/lanes.h"

namespace sass {

using S = std::int32_t;
using S64 = std::int64_t;

// The rows of instruction i in warp w.
#define A (w.source(i.a))
#define B (w.source(i.b))
#define C (w.source(i.c))
#define D (w.row(i.d))

/// A handler d = f(a, b, c), lane by lane.
template <class F>
void word_op(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    each(D, lanes, [=](int l) { return F{}(a[l], b[l], c[l]); });
}
#define WORD_OP(Name, expression)                                                              \
    struct Name {                                                                              \
        U operator()([[maybe_unused]] U a, [[maybe_unused]] U b, [[maybe_unused]] U c) const { \
            return expression;                                                                 \
        }                                                                                      \
    };

WORD_OP(Move, b)
/// The same for two rows.
inline void move_wide(Warp& w, const Instruction& i, U lanes) {
    const U* b = B;
    each_wide(D, lanes, [=](int l) { return wide(b, l); });
}

inline void nothing(Warp&, const Instruction&, U) {}

/// A uniform register gets the value of all lanes.
inline void set_uniform(Warp& w, std::uint16_t d, U value) {
    each(w.row(d), ALL, [=](int) { return value; });
}

/// How a comparison is combined with a predicate: 0 and, 1 or, 2 exclusive or.
inline int combination(Decoder& d) { return std::max(0, d.one_of({"AND", "OR", "XOR"})); }
inline U combined(U result, U with, int how) {
    return how == 0 ? result & with : how == 1 ? result | with : result ^ with;
}
/// Of a comparison: i.p = result combined with i.pa, i.q = not result combined with it.
inline void set_both(Warp& w, const Instruction& i, U lanes, U result, int how) {
    const U in = w.predicate(i.pa);
    w.set_predicate(i.p, lanes, combined(result, in, how));
    w.set_predicate(i.q, lanes, combined(~result, in, how));
}

}  // namespace sass
