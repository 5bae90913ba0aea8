// Conversions between integers and floats.
#include <cfenv>
#include <cmath>
#include <limits>

#include "simt/sass/instructions/families.h"
#include "simt/sass/instructions/half.h"
#include "simt/sass/instructions/words.h"

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

class Rounding {
   public:
    explicit Rounding(int rounding) {
        static constexpr int MODES[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
        std::fesetround(MODES[rounding]);
    }
    ~Rounding() { std::fesetround(FE_TONEAREST); }
};

double read_float(Format from, const U* row, int l, bool flush, int half) {
    switch (from) {
        case F64: return bits<double>(wide(row, l));
        case F16: return half_to_float(std::uint16_t(row[l] >> 16 * half));
        case BF16: return f32(row[l] >> 16 * half << 16);
        default: {
            const float x = f32(row[l]);
            return flush && std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.f, x) : x;
        }
    }
}

/// To an integer of so many bits; out of range, to the nearest end. NaN gives 0x80.. or, narrow or with .NTZ,
/// 0.
U64 to_integer(Format to, double x, int r, bool nan_to_zero) {
    static constexpr int BITS[] = {0, 0, 0, 0, 8, 8, 16, 16, 32, 32, 64, 64};
    const bool is_signed = to == S8 || to == S16 || to == S32 || to == S64;
    const int width = BITS[to];
    if (x != x) {
        if (nan_to_zero || width < 32) return 0;
        if (width == 64) return 0x8000000000000000ull;
        return 0x80000000u;
    }
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
    U64 result[LANES];
    for (int l = 0; l < LANES; ++l)
        result[l] =
            to_integer(to, read_float(from, b, l, i.kind & 4, int(i.number >> 8)), i.kind & 3, i.kind & 32);
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

void make_f2i(Decoder& d) {
    Format to = S32, from = F32;
    for (const Format f : formats(d)) (f <= BF16 ? from : to) = f;
    const int r = rounding(d);
    d.out.kind = std::uint8_t(r | (d.has("FTZ") ? 4 : 0) | (d.has("NTZ") ? 32 : 0));
    d.out.d = d.destination();
    d.out.number = to | from << 4 | half_of(d.peek()) << 8;
    d.out.b = d.source(from == F64 ? Decoder::f64 : Decoder::f32);
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
            result[l] = float_to_half(converted<double>(from, value, 0), i.kind & 3);
        else if (to == BF16)
            result[l] = float_to_bfloat(converted<double>(from, value, 0), i.kind & 3);
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
            result[l] = x != x ? 0xfff8000000000000ull : bits<U64>(x);
        } else if (to == F16) {
            result[l] = float_to_half(x, i.kind & 3);
        } else if (to == BF16) {
            result[l] = float_to_bfloat(x, i.kind & 3);
        } else {
            const Rounding with(i.kind & 3);
            volatile double v = x;
            volatile float f = float(v);
            if (i.kind & 4 && std::fpclassify(float(f)) == FP_SUBNORMAL) f = std::copysign(0.f, float(f));
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
    d.out.kind = std::uint8_t(rounding(d) | (d.has("RELU") ? 8 : 0));
    d.out.number = found[0];
    d.out.d = d.destination();
    d.out.a = d.source(Decoder::f32);
    d.out.b = d.source(Decoder::f32);
    d.finish(f2fp);
}

void i2i(Warp& w, const Instruction& i, U lanes) {  // saturates
    const U* b = B;
    const Format to = Format(i.number & 15);
    const bool from_unsigned = i.number >> 4 & 1;
    each(D, lanes, [&](int l) {
        const std::int64_t x = from_unsigned ? std::int64_t(b[l]) : std::int64_t(std::int32_t(b[l]));
        const auto within = [&](std::int64_t low, std::int64_t high) {
            return U(x < low ? low : x > high ? high : x);
        };
        switch (to) {
            case S8: return within(-128, 127);
            case U8: return within(0, 255);
            case S16: return within(-32768, 32767);
            case U16: return within(0, 65535);
            default: return b[l];
        }
    });
}
void make_i2i(Decoder& d) {
    const std::vector<Format> found = formats(d);
    d.ignore({"SAT"});
    d.out.number = U(found.empty() ? S32 : found[0]) | (found.size() > 1 && found[1] == U32 ? 16 : 0);
    d.out.d = d.destination();
    d.out.b = d.source(Decoder::integer);
    d.finish(i2i);
}

}  // namespace

std::vector<Opcode> conversion_opcodes() {
    return {{"F2I", make_f2i},  {"F2IP", make_f2i},  {"I2F", make_i2f}, {"I2FP", make_i2f}, {"F2F", make_f2f},
            {"FRND", make_f2f}, {"F2FP", make_f2fp}, {"I2I", make_i2i}, {"I2IP", make_i2i}};
}

}  // namespace sass
