// What a lane can ask about itself: its place, the time.
#include <chrono>
#include <string>
#include <unordered_map>

#include "simt/clock/request.h"
#include "simt/instructions/words.h"
#include "simt/run/cluster.h"

namespace sass {
namespace {

/// NIL reads as 0; so does where the stack ends, at offset 0 of local memory.
enum Special {
    TID,
    CTAID,
    NCTAID,
    LANEID,
    WARPID,
    WARPIDS,
    WINDOW,
    SM,
    CLOCK,
    TIMER,
    SHARED_SIZE,
    CLUSTER,
    RANK,
    NIL
};
enum Mask { EQMASK = 100, LTMASK, LEMASK, GTMASK, GEMASK };

std::uint64_t ticks(Block& block) {  // of a clock of 1 GHz
    block.forget_circle();
    return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                             std::chrono::steady_clock::now().time_since_epoch())
                             .count());
}

/// With simt/clock the GPU's cycles since the launch began.
std::uint64_t cycles(Block& block) {
    const std::uint64_t host = ticks(block);
    return block.request != nullptr ? block.request->cycle : host;
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
        case WARPID: return U(w.number) << 8;               // %warpid is bits 8-14 of SR_VIRTID,
        case WARPIDS: return U(architecture().warps) << 8;  // %nwarpid bits 8-15 of SR_VIRTCFG
        case EQMASK: return bit;
        case LTMASK: return bit - 1;
        case LEMASK: return bit | (bit - 1);
        case GTMASK: return ~(bit | (bit - 1));
        case GEMASK: return ~(bit - 1);
        case WINDOW: return SHARED_WINDOW;
        case CLUSTER: return of(block.index) / of(block.kernel->launch.cluster);
        case RANK: return block.window >> RANK_SHIFT;
        case SHARED_SIZE: return block.kernel->shared_of_multiprocessor();
        case SM: return U(block.number % unsigned(architecture().multiprocessors));
        case CLOCK: return U(cycles(block) >> 32 * axis);
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
    Block& block = *w.block;
    const std::uint64_t value = i.kind == NIL ? 0 : i.kind == CLOCK ? cycles(block) : ticks(block);
    each_wide(D, lanes, [=](int) { return value; });
}

/// A register of one axis: SR_TID.Y; else that of the first.
void read_special(Decoder& d) {
    // clang-format off: several a line.
    static const std::unordered_map<std::string, std::uint8_t> NAMES = {
        {"SR_TID", TID}, {"SR_CTAID", CTAID}, {"SR_NCTAID", NCTAID}, {"SR_LANEID", LANEID},
        {"SR_VIRTID", WARPID}, {"SR_VIRTCFG", WARPIDS}, {"SR_EQMASK", EQMASK}, {"SR_LTMASK", LTMASK},
        {"SR_LEMASK", LEMASK}, {"SR_GTMASK", GTMASK}, {"SR_GEMASK", GEMASK}, {"SR_CgaCtaId", RANK},
        {"SR_SWINHI", WINDOW}, {"SR_VIRTUALSMID", SM}, {"SR_SMID", SM}, {"SR_CLOCKLO", CLOCK},
        {"SR_CLOCKHI", CLOCK}, {"SR_GLOBALTIMERLO", TIMER}, {"SR_GLOBALTIMERHI", TIMER}, {"SRZ", NIL},
        {"SR_GRIDID", NIL}, {"SR_CgaSize", NIL}, {"SR_CLUSTERID", CLUSTER}, {"SR_LOCALTID", TID},
        {"SR_SMEMSZ", SHARED_SIZE}, {"SR_LMEMHIOFF", NIL}};
    // clang-format on
    const std::string name = d.take().text, base = name.substr(0, name.find('.'));
    const auto known = NAMES.find(base);
    if (known == NAMES.end()) d.refuse("special register");
    d.out.kind = known->second;
    const bool is_upper_half = base == "SR_CLOCKHI" || base == "SR_GLOBALTIMERHI";
    d.out.number = is_upper_half ? 1 : base == name ? 0 : U(name.back() - 'X');
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
