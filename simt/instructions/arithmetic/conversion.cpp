// Conversions between integers and floats.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "simt/instructions/arithmetic/half.h"
#include "simt/instructions/arithmetic/reals.h"
#include "simt/instructions/words.h"

namespace sass {

Handler make_f2fp_of_bytes(Decoder& d);  // eight_bits.cpp

namespace {

/// What a conversion reads or makes.
enum Format : std::uint8_t { F32, F64, F16, BF16, S8, U8, S16, U16, S32, U32, S64_, U64_ };

int format_of(const std::string& name) {  // -1 if it is none
    static constexpr const char* NAMES[] = {"F32", "F64", "F16", "BF16", "S8",  "U8",
                                            "S16", "U16", "S32", "U32",  "S64", "U64"};
    const auto at = std::find(std::begin(NAMES), std::end(NAMES), name);
    return at == std::end(NAMES) ? -1 : int(at - std::begin(NAMES));
}
bool is_wide(Format f) { return f == F64 || f == S64_ || f == U64_; }

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
    const bool is_signed = to == S8 || to == S16 || to == S32 || to == S64_;
    const int width = BITS[to];
    if (x != x) return nan_to_zero ? 0 : 1ull << (width - 1);
    const double whole = whole_of(x, r);
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
    std::vector<Format> printed;
    for (const std::string& name : d.modifiers())
        if (const int k = format_of(name); k >= 0) {
            printed.push_back(Format(k));
            d.has(name);
        }
    return printed;
}

int which_half(const Operand& operand) { return operand.suffix.find("H1") != std::string::npos ? 1 : 0; }

/// As the host rounds now. The volatile copies keep the compiler from evaluating it elsewhere.
template <class X>
X converted(Format from, U64 bits) {
    volatile std::int64_t s = from == S8    ? std::int8_t(bits)
                              : from == S16 ? std::int16_t(bits)
                              : from == S32 ? std::int32_t(bits)
                                            : std::int64_t(bits);
    volatile U64 u = from == U8    ? std::uint8_t(bits)
                     : from == U16 ? std::uint16_t(bits)
                     : from == U32 ? U(bits)
                                   : bits;
    const bool is_signed = from == S8 || from == S16 || from == S32 || from == S64_;
    volatile X x = is_signed ? X(s) : X(u);
    return x;
}

/// An integer as a double; one that is cut gets an odd last digit, so that a half is rounded once only.
double as_double(Format from, U64 value) {
    if (!is_wide(from)) return converted<double>(from, value);
    return fused(from == S64_ ? double(std::int64_t(value) >> 32) : double(value >> 32), 0x1p32, U(value));
}

void i2f(Warp& w, const Instruction& i, U lanes) {
    const U* b = B;
    const Format to = Format(i.number & 15), from = Format(i.number >> 4 & 15);
    const int shift = int(i.number >> 8);
    const Rounding with(to == F32 || to == F64 ? i.kind & 3 : 0);
    U64 result[LANES];
    for (int l = 0; l < LANES; ++l) {
        const U64 value = is_wide(from) ? wide(b, l) : b[l] >> shift;
        if (to == F64)
            result[l] = bits<U64>(converted<double>(from, value));
        else if (to == F16)
            result[l] = float_to_half(as_double(from, value), i.kind & 3);
        else if (to == BF16)
            result[l] = float_to_bfloat(as_double(from, value), i.kind & 3);
        else
            result[l] = u32(converted<float>(from, value));
    }
    if (to == F64)
        each_wide(D, lanes, [&](int l) { return result[l]; });
    else
        each(D, lanes, [&](int l) { return U(result[l]); });
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
        if (i.kind & 16) x = whole_of(x, i.kind & 3);
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

}  // namespace

// --- Decoding

/// F2IP makes up to two bytes: the second, and what is above them, have only been seen as RZ.
Handler make_f2i(Decoder& d) {
    Format to = S32, from = F32;
    for (const Format f : formats(d)) (f <= BF16 ? from : to) = f;
    d.out.kind = std::uint8_t(rounding(d) | (d.has("FTZ") ? 4 : 0) | (d.has("NTZ") ? 32 : 0));
    d.out.number = to | from << 4 | which_half(d.operand(d.base() == "F2IP" ? 2 : 1)) << 8;
    return f2i;
}
Handler make_i2f(Decoder& d) {
    Format to = F32, from = S32;
    for (const Format f : formats(d)) (f <= BF16 ? to : from) = f;
    d.out.kind = std::uint8_t(rounding(d));
    const std::string& suffix = d.operand(1).suffix;  // or a modifier
    const int byte = std::max(0, d.one_of({"B0", "B1", "B2", "B3"}));
    const bool is_byte = suffix.size() == 2 && suffix[0] == 'B';
    const int shift = d.has("H1") || suffix == "H1" ? 16 : 8 * (is_byte ? suffix[1] - '0' : byte);
    d.out.number = U(to) | U(from) << 4 | U(shift) << 8;
    return i2f;
}
Handler make_f2f(Decoder& d) {
    const std::vector<Format> printed = formats(d);
    const bool is_round = d.base() == "FRND";
    const Format to = printed.empty() ? F32 : printed[0];
    const Format from = printed.size() == 2 ? printed[1] : is_round ? to : F32;
    const bool to_whole = is_round || d.has("ROUND") || d.one_of({"FLOOR", "CEIL", "TRUNC"}) >= 0;
    d.out.kind =
        std::uint8_t(rounding(d) | (d.has("FTZ") ? 4 : 0) | (d.has("SAT") ? 8 : 0) | (to_whole ? 16 : 0));
    d.out.number = U(to) | U(from) << 4 | U(which_half(d.operand(1))) << 8;
    d.read(from == F64 ? "d f64 b" : from == F32 ? "d f32 b" : "d halves b");
    return f2f;
}
Handler make_f2fp(Decoder& d) {
    if (d.has("E4M3") || d.has("E5M2")) return make_f2fp_of_bytes(d);
    std::vector<Format> printed = formats(d);
    if (printed.empty()) printed = {F16};  // to sm_89
    if (printed[0] == F32) d.refuse("format");
    d.ignore({"PACK_AB"});
    d.out.kind = std::uint8_t(rounding(d) | (d.has("RELU") ? 8 : 0));
    d.out.number = printed[0];
    d.read(d.has("MERGE_C") ? "d f32 b Z" : "d f32 a b");  // of one float: the upper half comes from c
    return f2fp;
}
Handler make_i2i(Decoder& d) {
    const std::vector<Format> printed = formats(d);
    d.ignore({"SAT"});
    d.out.number = U(printed.empty() ? S32 : printed[0]) | (printed.size() > 1 && printed[1] == U32 ? 16 : 0);
    return d.base() == "I2IP" ? i2ip : i2i;
}

}  // namespace sass
