// Instructions by which the lanes of a warp exchange values: shuffles, votes, matches, reductions.
#include "simt/instructions/families.h"
#include "simt/instructions/words.h"
#include "simt/order/checker.h"
#include "simt/run/launch.h"

namespace sass {

void set_uniform(Warp& w, std::uint16_t d, U value) {
    U* const row = w.row(d);
    for (int l = 0; l < LANES; ++l) row[l] = value;
}

namespace {

// --- Shuffles. Source: PTX ISA, "shfl.sync".

enum Shuffle { UP, DOWN, BUTTERFLY, INDEX };

void shfl(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    U result[LANES], valid = 0, absent = 0;
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
        result[l] =
            a[there ? from & 31 : l];  // of a lane that does not take part, an H200 gives the own value
        valid |= U(inside) << l;
        absent |= U(inside && !there) << l;
    }
    each(D, lanes, [&](int l) { return result[l]; });
    w.set_predicate(i.p, lanes, valid);
    if (w.block->checks && (absent & lanes) != 0)
        w.block->checks->add(Hazard::divergent_warp, w, __builtin_ctz(absent & lanes),
                             "divergent warp: the lane reads from one that does not take part",
                             "let all lanes that are read from call it: take it out of the branch");
}
void make_shfl(Decoder& d) {
    static const char* const NAMES[] = {"UP", "DOWN", "BFLY", "IDX"};
    int mode = -1;
    for (int m = 0; m < 4; ++m)
        if (d.has(NAMES[m])) mode = m;
    if (mode < 0) d.refuse("mode");
    Instruction& i = d.out;
    i.counted = Class::shuffle;
    i.kind = std::uint8_t(mode);
    i.p = d.predicate_destination();
    i.d = d.destination();
    i.a = d.source(Decoder::integer);
    i.b = d.source(Decoder::integer);
    i.c = d.source(Decoder::integer);
    d.finish(shfl);
}

// --- Votes

void vote(Warp& w, const Instruction& i, U lanes) {
    const U in = w.predicate(i.pa) & lanes;
    const bool yes = i.kind == 0 ? in == lanes : i.kind == 1 ? in != 0 : in == 0 || in == lanes;
    if (i.is_wide)
        set_uniform(w, i.d, in);
    else
        each(D, lanes, [=](int) { return in; });
    w.set_predicate(i.p, i.p >= 8 && i.p != NO_PREDICATE ? ALL : lanes, yes ? ALL : 0);
}
void make_vote(Decoder& d) {
    static const char* const NAMES[] = {"ALL", "ANY", "EQ"};
    int kind = -1;
    for (int k = 0; k < 3; ++k)
        if (d.has(NAMES[k])) kind = k;
    if (kind < 0) d.refuse("mode");
    Instruction& i = d.out;
    i.counted = Class::vote;
    i.kind = std::uint8_t(kind);
    i.is_wide = d.base() == "VOTEU";  // its result is a uniform register
    if (!d.next_is_predicate()) i.d = d.destination();
    i.p = d.predicate_destination();
    i.pa = d.left() ? d.predicate_source() : std::uint8_t(PT);
    d.finish(vote);
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
void make_match(Decoder& d) {
    Instruction& i = d.out;
    i.kind = d.has("ALL");
    d.has("ANY");
    i.is_wide = d.has("U64");
    d.has("U32");
    if (d.next_is_predicate()) i.p = d.predicate_destination();
    i.d = d.destination();
    i.a = d.source(i.is_wide ? Decoder::wide_integer : Decoder::integer);
    d.finish(match);
}

void redux(Warp& w, const Instruction& i, U lanes) {
    const U* a = A;
    U result = a[__builtin_ctz(lanes)];
    for_lanes(lanes & (lanes - 1), [&](int l) {
        const U x = a[l];
        switch (i.kind) {
            case 0: result += x; break;
            case 1: result = result < x ? result : x; break;
            case 2: result = result > x ? result : x; break;
            case 3: result = S(result) < S(x) ? result : x; break;
            case 4: result = S(result) > S(x) ? result : x; break;
            case 5: result &= x; break;
            case 6: result |= x; break;
            default: result ^= x; break;
        }
    });
    set_uniform(w, i.d, result);
}
void make_redux(Decoder& d) {
    Instruction& i = d.out;
    const bool is_signed = d.has("S32");
    d.has("U32");
    int kind = 5;  // REDUX alone is an and
    if (d.has("SUM")) kind = 0;
    if (d.has("MIN")) kind = is_signed ? 3 : 1;
    if (d.has("MAX")) kind = is_signed ? 4 : 2;
    if (d.has("AND")) kind = 5;
    if (d.has("OR")) kind = 6;
    if (d.has("XOR")) kind = 7;
    i.counted = Class::warp_reduction;
    i.kind = std::uint8_t(kind);
    i.d = d.destination();
    i.a = d.source(Decoder::integer);
    d.finish(redux);
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
void make_r2ur(Decoder& d) {
    Instruction& i = d.out;
    i.kind = d.has("OR");
    if (d.next_is_predicate()) i.p = d.predicate_destination();
    i.d = d.destination();
    i.a = d.source(Decoder::integer);
    d.finish(r2ur);
}

void elect(Warp& w, const Instruction& i, U lanes) {
    const U first = lanes & -lanes;
    set_uniform(w, i.d, U(__builtin_ctz(lanes)));
    w.set_predicate(i.p, lanes, first);
}
void make_elect(Decoder& d) {
    d.out.p = d.predicate_destination();
    d.out.d = d.destination();
    if (d.left()) d.take();
    d.out.run = elect;
}

}  // namespace

std::vector<Opcode> warp_opcodes() {
    return {{"SHFL", make_shfl},   {"VOTE", make_vote}, {"VOTEU", make_vote}, {"MATCH", make_match},
            {"REDUX", make_redux}, {"R2UR", make_r2ur}, {"ELECT", make_elect}};
}

}  // namespace sass
