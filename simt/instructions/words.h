// What the families of instructions are written in: words, rows of operands, and handlers made from a
// formula.
#pragma once
#include "simt/decode/decode.h"
#include "simt/run/lanes.h"

namespace sass {

using U = std::uint32_t;
using S = std::int32_t;
using U64 = std::uint64_t;
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

/// Destination, one source: the F of it.
template <class F>
void make_unary(Decoder& d) {
    d.ignore({"U32"});
    d.out.d = d.destination();
    d.out.b = d.source(d.base() == "IABS" ? Decoder::integer : Decoder::logic);
    d.finish(word_op<F>);
}

}  // namespace sass
