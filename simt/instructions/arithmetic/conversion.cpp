// Conversions between integers and floats.
#include <cmath>
#include <limits>

#include "simt/instructions/arithmetic/half.h"
#include "simt/instructions/arithmetic/reals.h"
#include "simt/instructions/families.h"
#include "simt/instructions/words.h"

namespace sass {
namespace {

/// What a conversion reads or makes.
enum Format : std::uint8_t { F32, F64, F16, BF16, S8, U8, S16, U16, S32, U32, S64, U64_ };

Format format(const std::string& name, Format otherwise) {
    static const struct {
        const char* name;
        Format format;
    } NAMES[] = {{"F32", F32}, {"F64", F64}, {"F16", F16}, {"BF16", BF16}, {"S8", S8},   {"U8", U8},
                 {"S16", S16}, {"U16", U16}, {"S32", S32}, {"U32", U32},   {"S64", S64}, {"U64", U64_}};
    for (const auto& each : NAMES)
        if (name == each.name) return each.format;
    return otherwise;
}
bool is_wide(Format f) { return f == F64 || f == S64 || f == U64_; }

/// i.kind: bits 0-1 rounding, 2 flush, 3 saturate, 4 to an integral value, 5 NaN to zero. i.number: to | from
/// << 4.
int rounding(Decoder& d) {
    d.ignore({"RN"});
    if (d.has("RM") || d.has("FLOOR")) return 1;
    if (d.has("RP") || d.has("CEIL")) return 2;
    if (d.has("RZ") || d.has("TRUNC")) return 3;
    return 0;
}

double read_float(Format from, const U* row, int l, bool flush, int half) {
    switch (from) {
        case F64: return bits<double>(wide(row, l));
        case F16: return half_of(row[l], half, false);
        case BF16: return half_of(row[l], half, true);
        default: return flush ? flushed(f32(row[l])) : f32(row[l]);
    }
}

/// To an integer of so many bits; out of range, to the nearest end. NaN gives 0x80.. or 0.
U64 to_integer(Format to, double x, int r, bool nan_to_zero) {
    static constexpr int BITS[] = {0, 0, 0, 0, 8, 8, 16, 16, 32, 32, 64, 64};
    const bool is_signed = to == S8 || to == S16 || to == S32 || to == S64;
    const int width = BITS[to];
    if (x != x) return nan_to_zero ? 0 : 1ull << (width - 1);
    const Rounding with(r);
    volatile double v = x;
    const double whole = std::nearbyint(v);
    if (is_signed) {
        const double limit = std::ldexp(1., width - 1);
        if (whole >= limit)
            return U64(width == 64 ? std::numeric_limits<std::int64_t>::max() : (1ll << (width - 1)) - 1);
        if (whole < -limit)
            return U64(width == 64 ? std::numeric_limits<std::int64_t>::min() : -(1ll << (width - 1)));
        return U64(std::int64_t(whole));
    }
    if (whole >= std::ldexp(1., width)) return width == 64 ? ~0ull : (1ull << width) - 1;
    return whole <= 0 ? 0 : U64(whole);
}

void f2i(Warp& w, const Instruction& i, U lanes) {
    const U* b = B;
    const Format to = Format(i.number & 15), from = Format(i.number >> 4 & 15);
    const bool is_narrow = S8 <= to && to <= U16;
    const bool nan_to_zero = i.kind & 32 || (is_narrow && from != F64);  // the latter seen on an H200
    U64 result[LANES];
    for (int l = 0; l < LANES; ++l) {
        const double x = read_float(from, b, l, i.kind & 4, int(i.number >> 8));
        result[l] = to_integer(to, x, i.kind & 3, nan_to_zero);
    }
    if (is_wide(to))
        each_wide(D, lanes, [&](int l) { return result[l]; });
    else
        each(D, lanes, [&](int l) { return U(result[l]); });
}

/// The formats among the modifiers: of the result, then of the source, where both are printed.
std::vector<Format> formats(Decoder& d) {
    std::vector<Format> found;
    for (const std::string& name : d.modifiers()) {
        const Format f = format(name, Format(255));
        if (f != Format(255)) found.push_back(f);
    }
    for (const char* name :
         {"F32", "F64", "F16", "BF16", "S8", "U8", "S16", "U16", "S32", "U32", "S64", "U64"})
        d.has(name);
    return found;
}

int half_of(const Operand& operand) { return operand.suffix.find("H1") != std::string::npos ? 1 : 0; }

/// A source of which no other has been seen.
void take_zero(Decoder& d) {
    if (!is_zero(d.source(Decoder::logic))) d.refuse("only RZ is known here");
}

/// F2I; F2IP makes up to two bytes: the second, and what is above them, have only been seen as RZ.
void make_f2i(Decoder& d) {
    const bool pack = d.base() == "F2IP";
    Format to = S32, from = F32;
    for (const Format f : formats(d)) (f <= BF16 ? from : to) = f;
    const int r = rounding(d);
    d.out.kind = std::uint8_t(r | (d.has("FTZ") ? 4 : 0) | (d.has("NTZ") ? 32 : 0));
    d.out.d = d.destination();
    if (pack) take_zero(d);
    d.out.number = to | from << 4 | half_of(d.peek()) << 8;
    d.out.b = d.source(from == F64 ? Decoder::f64 : Decoder::f32);
    if (pack) take_zero(d);
    d.finish(f2i);
}

template <class X>
X converted(Format from, U64 bits, int r) {
    const Rounding with(r);
    volatile std::int64_t s = from == S8    ? std::int8_t(bits)
                              : from == S16 ? std::int16_t(bits)
                              : from == S32 ? std::int32_t(bits)
                                            : std::int64_t(bits);
    volatile U64 u = from == U8    ? std::uint8_t(bits)
                     : from == U16 ? std::uint16_t(bits)
                     : from == U32 ? U(bits)
                                   : bits;
    const bool is_signed = from == S8 || from == S16 || from == S32 || from == S64;
    volatile X x = is_signed ? X(s) : X(u);
    return x;
}

/// An integer as a double; one that is cut gets an odd last digit, so that a half is rounded once only.
double as_double(Format from, U64 value) {
    if (!is_wide(from)) return converted<double>(from, value, 0);
    return fused(from == S64 ? double(std::int64_t(value) >> 32) : double(value >> 32), 0x1p32, U(value));
}

void i2f(Warp& w, const Instruction& i, U lanes) {
    const U* b = B;
    const Format to = Format(i.number & 15), from = Format(i.number >> 4 & 15);
    const int shift = int(i.number >> 8);
    U64 result[LANES];
    for (int l = 0; l < LANES; ++l) {
        const U64 value = is_wide(from) ? wide(b, l) : b[l] >> shift;
        if (to == F64)
            result[l] = bits<U64>(converted<double>(from, value, i.kind & 3));
        else if (to == F16)
            result[l] = float_to_half(as_double(from, value), i.kind & 3);
        else if (to == BF16)
            result[l] = float_to_bfloat(as_double(from, value), i.kind & 3);
        else
            result[l] = u32(converted<float>(from, value, i.kind & 3));
    }
    if (to == F64)
        each_wide(D, lanes, [&](int l) { return result[l]; });
    else
        each(D, lanes, [&](int l) { return U(result[l]); });
}
void make_i2f(Decoder& d) {
    Format to = F32, from = S32;
    for (const Format f : formats(d)) (f <= BF16 ? to : from) = f;
    d.out.kind = std::uint8_t(rounding(d));
    d.out.d = d.destination();
    const std::string& suffix = d.peek().suffix;
    int shift = 0;
    if (suffix.size() == 2 && suffix[0] == 'B') shift = 8 * (suffix[1] - '0');
    if (suffix == "H1") shift = 16;
    if (d.has("B1")) shift = 8;
    if (d.has("B2")) shift = 16;
    if (d.has("B3")) shift = 24;
    if (d.has("H1")) shift = 16;
    d.out.number = U(to) | U(from) << 4 | U(shift) << 8;
    d.out.b = d.source(is_wide(from) ? Decoder::wide_integer : Decoder::integer);
    d.finish(i2f);
}

/// A double's NaN in a narrower format: sign and upper digits of the payload, made quiet (seen on an H200).
U narrow_nan(U64 nan, Format to) {
    const int digits = to == F32 ? 23 : to == F16 ? 10 : 7, width = to == F32 ? 32 : 16;
    const U sign = 1u << (width - 1), quiet = 1u << (digits - 1);
    return (nan >> 63 ? sign : 0) | (U(nan >> (52 - digits)) & (sign - 1)) | quiet;
}

void f2f(Warp& w, const Instruction& i, U lanes) {
    const U* b = B;
    const Format to = Format(i.number & 15), from = Format(i.number >> 4 & 15);
    U64 result[LANES];
    for (int l = 0; l < LANES; ++l) {
        double x = read_float(from, b, l, i.kind & 4, int(i.number >> 8));
        if (i.kind & 16) {
            const Rounding with(i.kind & 3);
            volatile double v = x;
            x = std::nearbyint(v);
        }
        if (i.kind & 8) x = x > 0 ? (x > 1 ? 1 : x) : 0;
        if (to == F64) {
            result[l] = bits<U64>(x) | (x != x ? QUIET_BIT : 0);  // a NaN is kept
        } else if (x != x && from == F64) {
            result[l] = narrow_nan(bits<U64>(x), to);
        } else if (to == F16) {
            result[l] = float_to_half(x, i.kind & 3);
        } else if (to == BF16) {
            result[l] = float_to_bfloat(x, i.kind & 3);
        } else {
            const Rounding with(i.kind & 3);
            volatile double v = x;
            volatile float f = float(v);
            if (i.kind & 4) f = flushed(float(f));
            result[l] = f != f ? 0x7fffffff : u32(f);
        }
    }
    if (to == F64)
        each_wide(D, lanes, [&](int l) { return result[l]; });
    else
        each(D, lanes, [&](int l) { return U(result[l]); });
}
void make_f2f(Decoder& d) {
    const std::vector<Format> found = formats(d);
    Format to = F32, from = F32;
    if (found.size() == 2)
        to = found[0], from = found[1];
    else if (d.base() == "FRND")
        to = from = found.empty() ? F32 : found[0];
    else if (!found.empty())
        to = found[0];
    const bool whole = d.base() == "FRND" || d.has("ROUND");
    const bool to_whole = whole || [&] {
        for (const char* name : {"FLOOR", "CEIL", "TRUNC"})
            for (const std::string& m : d.modifiers())
                if (m == name) return true;
        return false;
    }();
    const int r = rounding(d);
    d.out.kind = std::uint8_t(r | (d.has("FTZ") ? 4 : 0) | (d.has("SAT") ? 8 : 0) | (to_whole ? 16 : 0));
    d.out.d = d.destination();
    d.out.number = U(to) | U(from) << 4 | U(half_of(d.peek())) << 8;
    d.out.b = d.source(from == F64 ? Decoder::f64 : Decoder::f32);
    d.finish(f2f);
}

/// F2FP: two floats become a pair of halves. The first is the upper one.
void f2fp(Warp& w, const Instruction& i, U lanes) {
    const U *a = w.source(i.a), *b = B;
    const bool relu = i.kind & 8;
    each(D, lanes, [&](int l) {
        const auto packed = [&](float x) -> U {
            if (relu && !(x > 0)) x = x != x ? x : 0;
            return (i.number & 15) == BF16 ? float_to_bfloat(x, i.kind & 3) : float_to_half(x, i.kind & 3);
        };
        return packed(f32(a[l])) << 16 | packed(f32(b[l]));
    });
}
void make_f2fp(Decoder& d) {
    const std::vector<Format> found = formats(d);
    if (found.empty() || found[0] == F32) d.refuse("format");
    d.ignore({"PACK_AB"});
    const bool merge = d.has("MERGE_C");  // of one float: the upper half comes from the last source
    d.out.kind = std::uint8_t(rounding(d) | (d.has("RELU") ? 8 : 0));
    d.out.number = found[0];
    d.out.d = d.destination();
    if (!merge) d.out.a = d.source(Decoder::f32);
    d.out.b = d.source(Decoder::f32);
    if (merge) take_zero(d);
    d.finish(f2fp);
}

void i2i(Warp& w, const Instruction& i, U lanes) {  // saturates
    const U* b = B;
    const Format to = Format(i.number & 15);
    const bool from_unsigned = i.number >> 4 & 1;
    each(D, lanes,
         [&](int l) { return U(to_integer(to, from_unsigned ? double(b[l]) : double(S(b[l])), 0, true)); });
}
/// I2IP: b and a, made narrow, next to each other; above two bytes, c.
void i2ip(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    const Format to = Format(i.number & 15);
    const int width = to <= U8 ? 8 : 16;
    each(D, lanes, [&](int l) {
        const auto narrow = [&](U x) { return U(to_integer(to, S(x), 0, true)) & ((1u << width) - 1); };
        return narrow(b[l]) | narrow(a[l]) << width | (width == 8 ? c[l] << 16 : 0);
    });
}
void make_i2i(Decoder& d) {
    const std::vector<Format> found = formats(d);
    d.ignore({"SAT"});
    d.out.number = U(found.empty() ? S32 : found[0]) | (found.size() > 1 && found[1] == U32 ? 16 : 0);
    d.out.d = d.destination();
    const bool pack = d.base() == "I2IP";
    if (pack) d.out.a = d.source(Decoder::integer);
    d.out.b = d.source(Decoder::integer);
    if (pack) d.out.c = d.source(Decoder::integer);
    d.finish(pack ? i2ip : i2i);
}

}  // namespace

std::vector<Opcode> conversion_opcodes() {
    return {{"F2I", make_f2i},  {"F2IP", make_f2i},  {"I2F", make_i2f}, {"I2FP", make_i2f}, {"F2F", make_f2f},
            {"FRND", make_f2f}, {"F2FP", make_f2fp}, {"I2I", make_i2i}, {"I2IP", make_i2i}};
}

}  // namespace sass
