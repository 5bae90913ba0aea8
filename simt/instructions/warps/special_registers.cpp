// What a lane can ask about itself: its place, the time.
#include <chrono>

#include "simt/instructions/words.h"
#include "simt/run/launch.h"

namespace sass {
namespace {

enum Special : std::uint8_t {
    TID,
    CTAID,
    NCTAID,
    LANEID,
    WARPID,
    WARPIDS,
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

std::uint64_t ticks(Block& block) {  // of a clock of 1 GHz
    block.forget_circle();
    return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                             std::chrono::steady_clock::now().time_since_epoch())
                             .count());
}

U special_of(const Warp& w, const Instruction& i, int l) {
    Block& block = *w.block;
    const U axis = i.number;
    const auto of = [axis](const Dim3& d) { return axis == 0 ? d.x : axis == 1 ? d.y : d.z; };
    const U bit = 1u << l;
    switch (i.kind) {
        case CTAID: return of(block.index);
        case NCTAID: return of(block.kernel->launch.grid);
        case LANEID: return U(l);
        case WARPID: return U(w.number) << 8;  // %warpid is bits 8-14 of SR_VIRTID,
        case WARPIDS: return 64 << 8;          // %nwarpid bits 8-15 of SR_VIRTCFG
        case EQMASK: return bit;
        case LTMASK: return bit - 1;
        case LEMASK: return bit | (bit - 1);
        case GTMASK: return ~(bit | (bit - 1));
        case GEMASK: return ~(bit - 1);
        case WINDOW: return SHARED_WINDOW;
        case SHARED_SIZE: return block.kernel->shared_bytes;
        case SM: return U(block.number % 132);
        case CLOCK:
        case TIMER: return U(ticks(block) >> 32 * axis);
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
    const std::uint64_t value = i.kind == NIL ? 0 : ticks(*w.block);
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
                 {"SR_VIRTCFG", WARPIDS, 0},
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

}  // namespace

Handler make_s2r(Decoder& d) {
    d.read("d");
    read_special(d);
    if (d.base() == "S2UR") return s2ur;
    const std::uint8_t kind = d.out.kind;
    const bool is_wide =
        d.base() == "CS2R" && !d.has("32") && (kind == NIL || kind == CLOCK || kind == TIMER);
    return is_wide ? cs2r : s2r;
}

}  // namespace sass
