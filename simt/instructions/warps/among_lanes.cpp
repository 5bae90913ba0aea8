// Instructions by which the lanes of a warp exchange values: shuffles, votes, matches, reductions.
#include "simt/instructions/words.h"
#include "simt/order/checker.h"
#include "simt/run/launch.h"

namespace sass {

namespace {

// --- Shuffles. Source: PTX ISA, "shfl.sync".

enum Shuffle { UP, DOWN, BUTTERFLY, INDEX };

void shfl(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    U result[LANES], valid = 0, absent = 0;
    int source[LANES];
    for (int l = 0; l < LANES; ++l) {
        const int by = int(b[l] & 31), clamp = int(c[l] & 31), segment = int(c[l] >> 8 & 31);
        const int most = (l & segment) | (clamp & ~segment), least = l & segment;
        int from = 0;
        bool inside = false;
        switch (i.kind) {
            case UP: from = l - by, inside = from >= most; break;
            case DOWN: from = l + by, inside = from <= most; break;
            case BUTTERFLY: from = l ^ by, inside = from <= most; break;
            default: from = least | (by & ~segment), inside = from <= most; break;
        }
        const bool there = inside && (lanes >> (from & 31) & 1);
        // Of a lane that does not take part, an H200 gives the own value; of one that is elsewhere, 0.
        const bool elsewhere = inside && (w.active >> (from & 31) & 1) == 0;
        source[l] = there ? from & 31 : l;
        result[l] = elsewhere ? 0 : a[source[l]];
        valid |= U(inside) << l;
        absent |= U(inside && !there) << l;
    }
    if (w.block->checks && ((absent & lanes) != 0 || w.undefined.any()))
        w.block->checks->shuffled(w, i, lanes, source, absent & lanes);
    each(D, lanes, [&](int l) { return result[l]; });
    w.set_predicate(i.p, lanes, valid);
}

// --- Votes

void vote(Warp& w, const Instruction& i, U lanes) {
    const U in = w.predicate(i.pa) & lanes;
    if (i.ordering.gathers) for_lanes(lanes, [&](int l) { w.gathered[l] = lanes; });
    const bool yes = i.kind == 0 ? in == lanes : i.kind == 1 ? in != 0 : in == 0 || in == lanes;
    if (i.is_wide)
        set_uniform(w, i.d, in);
    else
        each(D, lanes, [=](int) { return in; });
    w.set_predicate(i.p, i.p >= 8 && i.p != NO_PREDICATE ? ALL : lanes, yes ? ALL : 0);
}

void match(Warp& w, const Instruction& i, U lanes) {
    const U* a = A;
    const bool is_wide = i.is_wide;
    const auto equal = [&](int x, int y) {
        return a[x] == a[y] && (!is_wide || a[LANES + x] == a[LANES + y]);
    };
    U result[LANES] = {}, valid = 0;
    for_lanes(lanes, [&](int l) {
        U same = 0;
        for_lanes(lanes, [&](int other) { same |= U(equal(l, other)) << other; });
        if (i.kind == 0)
            result[l] = same;
        else if (same == lanes)
            result[l] = lanes, valid |= 1u << l;
    });
    each(D, lanes, [&](int l) { return result[l]; });
    w.set_predicate(i.p, lanes, valid);
}

enum Reduction { AND, OR, XOR, SUM, MIN, MAX, MIN_SIGNED, MAX_SIGNED };

void redux(Warp& w, const Instruction& i, U lanes) {
    const U* a = A;
    U result = a[__builtin_ctz(lanes)];
    for_lanes(lanes & (lanes - 1), [&](int l) {
        const U x = a[l];
        switch (i.kind) {
            case AND: result &= x; break;
            case OR: result |= x; break;
            case SUM: result += x; break;
            case MIN: result = result < x ? result : x; break;
            case MAX: result = result > x ? result : x; break;
            case MIN_SIGNED: result = S(result) < S(x) ? result : x; break;
            case MAX_SIGNED: result = S(result) > S(x) ? result : x; break;
            default: result ^= x; break;
        }
    });
    set_uniform(w, i.d, result);
}

// --- From lanes to uniform registers

/// The value of the lowest lane. A predicate says which lanes have another: they need another turn.
void r2ur(Warp& w, const Instruction& i, U lanes) {
    const U* a = A;
    const U value = a[__builtin_ctz(lanes)];
    const U others = where([=](int l) { return a[l] != value; });
    set_uniform(w, i.d, value);
    w.set_predicate(i.p, lanes, i.kind ? w.predicate(i.p) | others : others);
}

void elect(Warp& w, const Instruction& i, U lanes) {
    const U first = lanes & -lanes;
    set_uniform(w, i.d, U(__builtin_ctz(lanes)));
    w.set_predicate(i.p, lanes, first);
}

}  // namespace

// --- Decoding

Handler make_shfl(Decoder& d) {
    d.out.kind = std::uint8_t(d.one_of({"UP", "DOWN", "BFLY", "IDX"}, "mode"));
    return shfl;
}
Handler make_vote(Decoder& d) {
    d.out.kind = std::uint8_t(d.one_of({"ALL", "ANY", "EQ"}, "mode"));
    d.out.is_wide = d.base() == "VOTEU";  // its result is a uniform register
    return vote;
}
Handler make_match(Decoder& d) {
    d.ignore({"ANY", "U32"});
    d.out.kind = d.has("ALL");
    d.out.is_wide = d.has("U64");
    return match;
}
Handler make_redux(Decoder& d) {
    const int which = d.one_of({"AND", "OR", "XOR", "SUM", "MIN", "MAX"});
    const bool is_signed = d.has("S32") && which >= MIN;
    d.ignore({"U32"});
    d.out.kind = std::uint8_t(which < 0 ? AND : is_signed ? which + MIN_SIGNED - MIN : which);
    return redux;
}
Handler make_r2ur(Decoder& d) {
    d.out.kind = d.has("OR");
    d.ignore({"BROADCAST", "FILL"});  // by one lane, after ELECT; back from where it was kept
    return r2ur;
}
Handler make_elect(Decoder&) { return elect; }

}  // namespace sass
