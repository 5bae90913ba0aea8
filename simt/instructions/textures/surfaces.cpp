// Surface instructions: SULD and SUST, which read and write bytes of an array as they are. The first
// coordinate counts bytes.
#include "simt/instructions/memory/accesses.h"
#include "simt/instructions/textures/fetches.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

constexpr int ILLEGAL_ADDRESS = 700, MISALIGNED = 716;

/// How coordinates are given; in the order of RANKS.
enum Rank : std::uint8_t { of_line, of_plane, of_volume, of_lines, of_planes };
constexpr std::initializer_list<const char*> RANKS = {"1D", "2D", "3D", "1D_ARRAY", "2D_ARRAY"};

/// What happens to an access that lies outside; in Instruction::number.
enum Beyond : U { traps, clamps, is_ignored };
constexpr U SIGNED = 4;  ///< beside it: integers of 1 and 2 bytes are extended with their sign

/// What an H200 does with each kind of surface, where it has been tried.
Fit fit_of_surface(const Texture& t, std::uint8_t how) {
    if (!t.is_surface) return Fit::unknown;
    const unsigned dimensions = t.dimensions();
    if (how == of_line && dimensions == 2) return Fit::zeros;
    if (how == of_line || how == of_lines)
        return dimensions == 1 && t.is_layered == (how == of_lines) ? Fit::good : Fit::unknown;
    if (how == of_volume) return dimensions == 3 ? Fit::good : dimensions == 2 ? Fit::zeros : Fit::unknown;
    if (how == of_plane && dimensions == 1) return Fit::zeros;
    if (how == of_plane) return t.is_layered || t.is_cubemap ? Fit::unknown : Fit::good;
    return dimensions == 2 && (t.is_layered || t.is_cubemap) ? Fit::good : Fit::unknown;
}

/// Where the lanes' accesses lie; returns those that lie inside, or are moved there.
U place(const Warp& w, const Instruction& i, const Texture& t, U lanes, U64* addresses) {
    const U* const a = const_cast<Warp&>(w).source(i.a);
    const int coordinates = i.kind == of_line ? 1 : i.kind == of_plane || i.kind == of_lines ? 2 : 3;
    const U width = t.width * t.format.bytes();
    const U extents[3] = {width, i.kind == of_lines ? t.depth : t.height, t.depth};
    U inside = 0;
    for_lanes(lanes, [&](int l) {
        std::int64_t at[3] = {};
        bool is_inside = true;
        for (int k = 0; k < coordinates; ++k) {
            const bool is_layer = k == coordinates - 1 && i.kind >= of_lines;
            const U given = a[k * LANES + l];
            at[k] = is_layer ? std::int64_t(given & 0xffff) : std::int32_t(given);
            const std::int64_t last = std::int64_t(extents[k]) - (k == 0 ? i.bytes : 1);
            if (k == 0 && at[0] % i.bytes != 0)
                throw Fault{MISALIGNED,
                            "a surface access of " + std::to_string(i.bytes) +
                                " bytes is misaligned: x is byte " + std::to_string(at[0]),
                            l};
            const bool fits = at[k] >= 0 && at[k] <= last;
            if (!fits && (i.number & 3) == traps)
                throw Fault{ILLEGAL_ADDRESS,
                            "a surface access lies outside: " + std::string(1, "xyz"[k]) + " is " +
                                std::to_string(at[k]) + " of " + std::to_string(extents[k]) +
                                (k == 0 ? " bytes" : ""),
                            l};
            is_inside &= fits;
            at[k] = std::clamp<std::int64_t>(at[k], 0, last);
        }
        const bool has_rows = i.kind != of_lines && coordinates > 1;
        const U64 layer = U64(i.kind == of_lines ? at[1] : at[2]), row = has_rows ? U64(at[1]) : 0;
        addresses[l] = t.begin + layer * t.slice + row * t.pitch + U64(at[0]);
        inside |= U(is_inside || (i.number & 3) == clamps) << l;
    });
    return inside;
}

void suld(Warp& w, const Instruction& i, U lanes) {
    if (lanes == 0) return;
    const Texture* const t = object_of(w, i, lanes, fit_of_surface);
    U64 addresses[LANES] = {};
    const U inside = t == nullptr ? 0 : place(w, i, *t, lanes, addresses);
    if (inside != 0) read_elements(w, addresses, inside, i.bytes);
    U* const d = loaded(w, i);
    for (unsigned k = 0; k < std::max(1u, i.bytes / 4u); ++k) {
        each(d + k * LANES, lanes & ~inside, [](int) { return 0; });
        w.undefined.define(std::uint16_t(i.d + k), lanes);
    }
    for_lanes(inside, [&](int l) {
        load_lane(d, l, reinterpret_cast<const std::uint8_t*>(addresses[l]), i.bytes, i.number & SIGNED);
    });
}

void sust(Warp& w, const Instruction& i, U lanes) {
    if (lanes == 0) return;
    Instruction plain = i;
    std::swap(plain.b, plain.c);  // the value is b, for the checks and stored() c
    const Texture* const t = object_of(w, i, lanes, fit_of_surface);
    U64 addresses[LANES] = {};
    const U inside = t == nullptr ? 0 : place(w, i, *t, lanes, addresses);
    if (inside == 0) return;
    check_global(addresses, inside, i.bytes);
    ++*w.block->progress;
    const U* const s = stored(w, plain);
    if (w.block->checks) w.block->checks->global(w, plain, addresses, inside, i.bytes, Use::write, s);
    for_lanes(inside,
              [&](int l) { store_lane(s, l, reinterpret_cast<std::uint8_t*>(addresses[l]), i.bytes); });
}

/// Modifiers; the order of accesses is not that of strong ones: the caches of surfaces are another's.
void take_modifiers(Decoder& d) {
    if (d.has("P") || !d.has("D") || !d.has("BA")) d.refuse("formatted surface accesses are unknown here");
    d.out.number = d.has("TRAP") ? traps : d.has("IGN") ? is_ignored : clamps;
    take_width(d);
    if (d.out.kind == SIGN) d.out.number |= SIGNED;
    d.out.kind = std::uint8_t(d.one_of(RANKS, "geometry"));
    d.out.is_strong = false;
    d.out.ordering = {};
}

}  // namespace

Handler make_suld(Decoder& d) {
    take_modifiers(d);
    d.out.d = d.destination();
    if (d.out.d == NOWHERE) d.out.d = TEMPORARY + 6;
    d.address();
    take_handle(d);
    return d.with_modifiers(by_handle<suld>);
}
Handler make_sust(Decoder& d) {
    take_modifiers(d);
    d.address();
    d.out.b = d.source(Decoder::logic);
    take_handle(d);
    return d.with_modifiers(by_handle<sust>);
}

}  // namespace sass
