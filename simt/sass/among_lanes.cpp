// Instructions by which the lanes of a warp exchange values: shuffles, votes, matches, reductions; and what a
// lane can ask about itself.
#include <chrono>

#include "simt/sass/families.h"
#include "simt/sass/launch.h"
#include "simt/sass/words.h"

namespace sass {
namespace {

/// A uniform register gets the value of all lanes.
void set_uniform(Warp& w, std::uint16_t d, U value) {
    U* const row = w.row(d);
    for (int l = 0; l < LANES; ++l) row[l] = value;
}

// --- Shuffles. Source: PTX ISA, "shfl.sync".

enum Shuffle { UP, DOWN, BUTTERFLY, INDEX };

void shfl(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    U result[LANES], valid = 0;
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
        result[l] = a[inside ? from & 31 : l];
        valid |= U(inside) << l;
    }
    each(D, lanes, [&](int l) { return result[l]; });
    w.set_predicate(i.p, lanes, valid);
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

// --- Special registers

enum Special : std::uint8_t {
    TID,
    CTAID,
    NCTAID,
    LANEID,
    WARPID,
    EQMASK,
    LTMASK,
    LEMASK,
    GTMASK,
    GEMASK,
    CGA_CTA,
    WINDOW,
    SM,
    CLOCK,
    TIMER,
    NIL,
    GRID,
    SHARED_SIZE
};

std::uint64_t ticks() {  // of a clock of 1 GHz
    return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                             std::chrono::steady_clock::now().time_since_epoch())
                             .count());
}

U special_of(const Warp& w, const Instruction& i, int l) {
    const Block& block = *w.block;
    const U axis = i.number;
    const auto of = [axis](const Dim3& d) { return axis == 0 ? d.x : axis == 1 ? d.y : d.z; };
    const U bit = 1u << l;
    switch (i.kind) {
        case CTAID: return of(block.index);
        case NCTAID: return of(block.kernel->launch.grid);
        case LANEID: return U(l);
        case WARPID: return U(w.number);
        case EQMASK: return bit;
        case LTMASK: return bit - 1;
        case LEMASK: return bit | (bit - 1);
        case GTMASK: return ~(bit | (bit - 1));
        case GEMASK: return ~(bit - 1);
        case WINDOW: return SHARED_WINDOW;
        case SHARED_SIZE: return block.kernel->shared_bytes;
        case SM: return U(block.number % 132);
        case CLOCK: return U(ticks() >> 32 * axis);
        case TIMER: return U(ticks() >> 32 * axis);
        default: return 0;
    }
}

void s2r(Warp& w, const Instruction& i, U lanes) {
    if (i.kind == TID) {
        const U* row = w.row(std::uint16_t(TID_X + i.number));
        return each(D, lanes, [=](int l) { return row[l]; });
    }
    if (i.kind == LANEID || (i.kind >= EQMASK && i.kind <= GEMASK))
        return each(D, lanes, [&](int l) { return special_of(w, i, l); });
    const U value = special_of(w, i, 0);
    each(D, lanes, [=](int) { return value; });
}
void s2ur(Warp& w, const Instruction& i, U lanes) {
    const int first = __builtin_ctz(lanes);
    set_uniform(w, i.d,
                i.kind == TID ? w.row(std::uint16_t(TID_X + i.number))[first] : special_of(w, i, first));
}
void cs2r(Warp& w, const Instruction& i, U lanes) {  // two registers
    const std::uint64_t value = i.kind == NIL ? 0 : ticks();
    each_wide(D, lanes, [=](int) { return value; });
}

void read_special(Decoder& d) {
    static const struct {
        const char* name;
        Special kind;
        U axis;
    } NAMES[] = {{"SR_TID.X", TID, 0},
                 {"SR_TID.Y", TID, 1},
                 {"SR_TID.Z", TID, 2},
                 {"SR_CTAID.X", CTAID, 0},
                 {"SR_CTAID.Y", CTAID, 1},
                 {"SR_CTAID.Z", CTAID, 2},
                 {"SR_NCTAID.X", NCTAID, 0},
                 {"SR_NCTAID.Y", NCTAID, 1},
                 {"SR_NCTAID.Z", NCTAID, 2},
                 {"SR_LANEID", LANEID, 0},
                 {"SR_VIRTID", WARPID, 0},
                 {"SR_WARPID", WARPID, 0},
                 {"SR_EQMASK", EQMASK, 0},
                 {"SR_LTMASK", LTMASK, 0},
                 {"SR_LEMASK", LEMASK, 0},
                 {"SR_GTMASK", GTMASK, 0},
                 {"SR_GEMASK", GEMASK, 0},
                 {"SR_CgaCtaId", CGA_CTA, 0},
                 {"SR_SWINHI", WINDOW, 0},
                 {"SR_VIRTUALSMID", SM, 0},
                 {"SR_SMID", SM, 0},
                 {"SR_CLOCKLO", CLOCK, 0},
                 {"SR_CLOCKHI", CLOCK, 1},
                 {"SR_GLOBALTIMERLO", TIMER, 0},
                 {"SR_GLOBALTIMERHI", TIMER, 1},
                 {"SRZ", NIL, 0},
                 {"SR_GRIDID", GRID, 0},
                 {"SR_CgaSize", GRID, 0},
                 {"SR_CLUSTERID.X", CTAID, 0},
                 {"SR_LOCALTID", TID, 0},
                 {"SR_SMEMSZ", SHARED_SIZE, 0},
                 {"SR_LMEMHIOFF", NIL, 0}};  // where the stack ends: at offset 0 of local memory
    const std::string name = d.take().text;
    for (const auto& each : NAMES)
        if (name == each.name) {
            d.out.kind = each.kind;
            d.out.number = each.axis;
            return;
        }
    d.refuse("special register");
}
void make_s2r(Decoder& d) {
    d.out.d = d.destination();
    read_special(d);
    d.out.run = d.base() == "S2UR" ? s2ur : s2r;
}
void make_cs2r(Decoder& d) {
    const bool single = d.has("32");
    d.out.d = d.destination();
    read_special(d);
    d.out.run = single || (d.out.kind != NIL && d.out.kind != CLOCK && d.out.kind != TIMER) ? s2r : cs2r;
}

}  // namespace

std::vector<Opcode> warp_opcodes() {
    return {{"SHFL", make_shfl},   {"VOTE", make_vote}, {"VOTEU", make_vote},  {"MATCH", make_match},
            {"REDUX", make_redux}, {"R2UR", make_r2ur}, {"ELECT", make_elect}, {"S2R", make_s2r},
            {"S2UR", make_s2r},    {"CS2R", make_cs2r}};
}

}  // namespace sass
