// Texture instructions: TEX, TXD (by coordinates), TLD (by the number of an element), TLD4 (the four texels
// of a linear filter), TXQ (how large the texture is). Without mipmaps the level of detail says nothing.
#include "simt/instructions/textures/fetches.h"
#include "simt/texture/filter.h"

namespace sass {
namespace {

/// How coordinates are given; in the order of GEOMETRIES.
enum Geometry : std::uint8_t { line, plane, volume, cube, lines, planes, cubes };
constexpr std::initializer_list<const char*> GEOMETRIES = {"1D",       "2D",       "3D",        "CUBE",
                                                           "ARRAY_1D", "ARRAY_2D", "ARRAY_CUBE"};

/// Where the results go: up to two registers each, of the channels that the mask names.
struct Results {
    std::uint16_t row[4];
    unsigned channel[4];
    int count = 0;
    explicit Results(const Instruction& i) {
        const std::uint16_t upper = std::uint16_t(i.number >> 8);
        for (unsigned k = 0; k < 4; ++k) {
            if (!(i.number >> k & 1)) continue;
            const std::uint16_t first = count < 2 ? i.d : upper;
            row[count] = first == NOWHERE ? NOWHERE : std::uint16_t(first + count % 2);
            channel[count++] = k;
        }
    }
};

/// What an H200 gives of each kind of texture by each instruction, where it has been tried.
Fit fit_of(const Texture& t, std::uint8_t how) {
    if (t.is_surface) return Fit::unknown;
    const unsigned dimensions = t.dimensions();
    const bool is_array = t.memory == Texture::Memory::array;
    if (how == line) return t.memory == Texture::Memory::linear ? Fit::good : Fit::zeros;
    if (t.memory == Texture::Memory::linear) return how == plane ? Fit::zeros : Fit::unknown;
    if (how == cube || how == cubes) {
        if (!is_array || (how == cube && !t.is_cubemap)) return dimensions == 2 ? Fit::zeros : Fit::unknown;
        return t.is_cubemap && t.is_layered == (how == cubes) && t.is_normalised &&
                       !(t.is_seamless && t.is_linear)
                   ? Fit::good
                   : Fit::unknown;
    }
    if (t.is_cubemap) return Fit::unknown;
    if (how == plane && dimensions == 3) return Fit::zeros;
    if (how == plane) return dimensions == 1 && t.is_layered ? Fit::unknown : Fit::good;
    if (how == volume) return dimensions == 3 ? Fit::good : dimensions == 2 ? Fit::zeros : Fit::unknown;
    if (how == planes) return dimensions == 2 && is_array ? Fit::good : Fit::unknown;
    return dimensions == 1 && t.is_layered ? Fit::good : Fit::unknown;
}

unsigned layer_of(const Texture& t, U given) {
    const unsigned layers = t.is_layered ? t.depth / (t.is_cubemap ? 6 : 1) : 1;
    return std::min(given & 0xffff, layers - 1);
}

Coordinates coordinates_of(const Texture& t, const Instruction& i, const U* a, int lane) {
    const bool has_layer = i.kind >= lines, is_last = (i.offset & 1) != 0;  // the layer comes first or last
    const int first = has_layer && !is_last ? 1 : 0;
    const auto coordinate = [&](int k) { return f32(a[(first + k) * LANES + lane]); };
    Coordinates at;
    if (i.kind == cube || i.kind == cubes) {
        unsigned face;
        at = on_cube(coordinate(0), coordinate(1), coordinate(2), face);
        at.layer = face + (i.kind == cubes ? 6 * layer_of(t, a[lane]) : 0);
        return at;
    }
    const int dimensions = i.kind == volume ? 3 : i.kind == lines ? 1 : 2;
    for (int k = 0; k < dimensions; ++k) at.of[k] = coordinate(k);
    if (has_layer) at.layer = layer_of(t, a[(is_last ? dimensions : 0) * LANES + lane]);
    return at;
}

/// All lanes' texels of one number are read at once.
void read_texels(Warp& w, const Texture& t, const Texels* texels, U lanes) {
    for (int n = 0; n < Texels::MOST; ++n) {
        U64 addresses[LANES] = {};
        U reading = 0;
        for_lanes(lanes, [&](int l) {
            addresses[l] = texels[l].address[n];
            reading |= U(addresses[l] != 0) << l;
        });
        if (reading != 0) read_elements(w, addresses, reading, t.format.bytes());
    }
}

/// Writes value(lane, channel) where the instruction says. No bit of it is undefined: what nobody has written
/// is told where it is read.
template <class Value>
void write_results(Warp& w, const Instruction& i, U lanes, Value value) {
    const Results results(i);
    U values[4][LANES];
    for_lanes(lanes, [&](int l) {
        for (int k = 0; k < results.count; ++k) values[k][l] = value(l, results.channel[k]);
    });
    for (int k = 0; k < results.count; ++k) {
        if (results.row[k] == NOWHERE) continue;
        each(w.row(results.row[k]), lanes, [&](int l) { return values[k][l]; });
        w.undefined.define(results.row[k], lanes);
    }
}

void write_zeros(Warp& w, const Instruction& i, U lanes) {
    write_results(w, i, lanes, [](int, unsigned) { return 0; });
}

void tex(Warp& w, const Instruction& i, U lanes) {
    if (lanes == 0) return;
    const Texture* const t = object_of(w, i, lanes, fit_of);
    if (t == nullptr) return write_zeros(w, i, lanes);
    const U* const a = w.source(i.a);
    Texels texels[LANES];
    for_lanes(lanes, [&](int l) { texels[l] = texels_of(*t, coordinates_of(*t, i, a, l), t->is_linear); });
    read_texels(w, *t, texels, lanes);
    write_results(w, i, lanes, [&](int l, unsigned channel) {
        return t->is_linear ? filtered(*t, texels[l], channel)
                            : element_of(*t, texels[l].address[0], channel);
    });
}

/// The four texels of a linear filter, of one channel: first those of the second row.
void tld4(Warp& w, const Instruction& i, U lanes) {
    if (lanes == 0) return;
    const Texture* const t = object_of(w, i, lanes, fit_of);
    if (t == nullptr) return write_zeros(w, i, lanes);
    const U* const a = w.source(i.a);
    Texels texels[LANES];
    for_lanes(lanes, [&](int l) { texels[l] = four_of(*t, coordinates_of(*t, i, a, l)); });
    read_texels(w, *t, texels, lanes);
    const auto channel = unsigned(i.offset >> 1);
    write_results(w, i, lanes, [&](int l, unsigned which) {
        static constexpr int ORDER[4] = {2, 3, 1, 0};
        return element_of(*t, texels[l].address[ORDER[which]], channel);
    });
}

/// By number. Beyond the end it gives 0, whatever the address mode.
void tld(Warp& w, const Instruction& i, U lanes) {
    if (lanes == 0) return;
    const Texture* const t = object_of(w, i, lanes, fit_of);
    if (t == nullptr) return write_zeros(w, i, lanes);
    const U* const a = w.source(i.a);
    U64 addresses[LANES] = {};
    U inside = 0;
    for_lanes(lanes, [&](int l) {
        inside |= U(a[l] < t->width) << l;
        addresses[l] = t->begin + U64(a[l]) * t->format.bytes();
    });
    if (inside != 0) read_elements(w, addresses, inside, t->format.bytes());
    write_results(w, i, lanes, [&](int l, unsigned channel) {
        return inside >> l & 1 ? element_of(*t, addresses[l], channel) : 0;
    });
}

/// .SCR before sm_90: so many coordinates are in registers from a, the last one is the first of those from b.
template <int FIRST, Handler OF_ALL>
void in_parts(Warp& w, const Instruction& i, U lanes) {
    const U *first = w.source(i.a), *last = w.source(i.b);
    U* const all = w.row(TEMPORARY);
    for (int k = 0; k < FIRST; ++k) each(all + k * LANES, ALL, [=](int l) { return first[k * LANES + l]; });
    each(all + FIRST * LANES, ALL, [=](int l) { return last[l]; });
    Instruction plain = i;
    plain.a = {TEMPORARY, 0, 0};
    plain.b.row += 1;
    OF_ALL(w, plain, lanes);
}

Fit any(const Texture&, std::uint8_t) { return Fit::good; }

/// Widths, as an H200 gives them: of 1-D layers the second is how many.
void txq(Warp& w, const Instruction& i, U lanes) {
    if (lanes == 0) return;
    const Texture* const t = object_of(w, i, lanes, any);
    if (t == nullptr) return write_zeros(w, i, lanes);
    U extents[4] = {t->width, t->height, t->depth, 0};
    if (t->dimensions() == 1 && t->is_layered)
        extents[1] = t->depth, extents[2] = 0;
    else if (t->dimensions() == 1 && t->memory == Texture::Memory::array && !t->is_surface)
        extents[1] = 1;
    if (t->is_cubemap) extents[2] = t->is_layered ? t->depth / 6 : 0;
    write_results(w, i, lanes, [&](int, unsigned which) { return extents[which]; });
}

// --- Decoding

constexpr const char* NO_SPARSE = "sparse textures are unknown here";

/// d, the upper one first.
void take_results(Decoder& d) {
    if (d.next_is_predicate()) d.refuse(NO_SPARSE);
    const std::uint16_t upper = d.destination();
    d.out.d = d.destination();
    d.out.number = U(upper) << 8;
}
Source take_row(Decoder& d) {
    const Source row = d.source(Decoder::logic);
    if (row.of != 0 || row.row >= UNIFORM) d.refuse("an ordinary register is expected");
    return row;
}
void take_mask(Decoder& d) {
    const U mask = d.left() > 0 ? d.number() : 15;
    if (mask == 0 || mask > 15) d.refuse("mask of channels");
    d.out.number |= mask;
}
/// Before sm_90, with .B: the handle is in the first register of those behind the coordinates.
bool takes_handle_first(Decoder& d) {
    if (!d.has("B")) return false;
    d.out.c = take_row(d);
    return true;
}
/// The handle, the geometry and the mask.
void take_rest(Decoder& d, bool has_handle = false) {
    if (!has_handle) take_handle(d);
    const std::string geometry = d.take().text;
    int which = 0;
    for (const char* name : GEOMETRIES) {
        if (geometry == name) d.out.kind = std::uint8_t(which);
        which += 1;
    }
    if (geometry != *(GEOMETRIES.begin() + d.out.kind)) d.refuse("geometry " + geometry);
    take_mask(d);
}

}  // namespace

Handler make_tex(Decoder& d) {
    take_results(d);
    d.out.a = take_row(d);
    const bool has_handle = takes_handle_first(d), has_more = d.has("LL") || d.base() == "TXD";
    const bool parts = d.has("SCR");
    if (has_handle && has_more) d.out.b = d.out.c, d.out.b.row += 1;
    if (!has_handle && d.peek().kind == Operand::reg) d.out.b = take_row(d);
    d.ignore({"LL", "LZ"});
    take_rest(d, has_handle);
    if (d.out.kind == line) d.refuse("geometry");
    if (!parts || d.out.kind == plane || d.out.kind == lines) return d.with_modifiers(by_handle<tex>);
    if (has_handle || d.out.kind == cubes) d.refuse("coordinates in two parts");
    return d.with_modifiers(by_handle<in_parts<2, tex>>);
}
Handler make_txd(Decoder& d) {
    make_tex(d);
    if (d.out.kind != plane && d.out.kind != planes && d.out.kind != lines) d.refuse("geometry");
    if (d.has("SCR")) d.refuse("coordinates in two parts");
    d.out.offset = 1;
    return d.with_modifiers(by_handle<tex>);
}
Handler make_tld(Decoder& d) {
    take_results(d);
    d.out.a = take_row(d);
    d.ignore({"LZ", "SCR"});
    take_rest(d, takes_handle_first(d));
    if (d.out.kind != line) d.refuse("only elements of linear memory are read by number here");
    return d.with_modifiers(by_handle<tld>);
}
Handler make_tld4(Decoder& d) {
    take_results(d);
    d.out.a = take_row(d);
    // .SCR.R, or .SCR.R.B with the handle in a register: the channel is the first of the letters.
    const std::string letters = "RGBA";
    std::size_t channel = letters.size(), named = 0;
    for (const std::string& each : d.modifiers()) {
        if (each.size() != 1 || letters.find(each) == std::string::npos) continue;
        if (named++ == 0) channel = letters.find(each);
    }
    if (d.one_of({"R", "G", "B", "A"}, "channel") < 0 || named > 2) d.refuse("channel");
    d.out.offset = 2 * std::int64_t(channel);
    const bool parts = d.has("SCR"), has_handle = named == 2;
    if (parts) {
        d.out.b = take_row(d);
        if (has_handle) d.out.c = d.out.b, d.out.b.row += 1;
    }
    take_rest(d, has_handle);
    if (d.out.kind != plane) d.refuse("geometry");
    return d.with_modifiers(parts ? by_handle<in_parts<1, tld4>> : by_handle<tld4>);
}
Handler make_txq(Decoder& d) {
    take_results(d);
    d.out.a = take_row(d);
    if (d.take().text != "TEX_HEADER_DIMENSION") d.refuse("query");
    take_handle(d);
    take_mask(d);
    return d.with_modifiers(by_handle<txq>);
}

}  // namespace sass
