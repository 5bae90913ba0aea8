// Floats of eight bits, E4M3 and E5M2: F2FP makes pairs of them into pairs of halves and back.
#include <cmath>

#include "simt/instructions/arithmetic/half.h"
#include "simt/instructions/words.h"

namespace sass {
namespace {

enum OfBytes : std::uint8_t { IS_E5M2 = 1, NOT_BELOW_0 = 2, IS_UPPER = 4, FROM_HALVES = 8 };

/// E5M2 is the upper half of a half. E4M3 has a larger exponent instead of infinities, and one NaN.
std::uint16_t half_of_byte(U byte, int kind) {
    const std::uint16_t sign = byte & 0x80 ? 0x8000 : 0;
    const U magnitude = byte & 0x7f;
    const bool is_nan = kind & IS_E5M2 ? magnitude > 0x7c : magnitude == 0x7f;
    if (is_nan) return 0x7fff;
    if (kind & NOT_BELOW_0 && sign) return 0;
    if (kind & IS_E5M2) return std::uint16_t(byte << 8);
    const U exponent = magnitude >> 3, fraction = magnitude & 7;
    const double x =
        std::ldexp(double(exponent == 0 ? fraction : fraction | 8), int(std::max(exponent, 1u)) - 10);
    return std::uint16_t(sign | float_to_half(x));
}

/// .SATFINITE: what is too large becomes the largest number.
U to_byte(double x, int kind) {
    if (x != x) return 0x7f;
    if (kind & NOT_BELOW_0 && !(x > 0)) return 0;
    const U sign = std::signbit(x) ? 0x80 : 0;
    if (kind & IS_E5M2) {
        const double y = std::fmin(std::fabs(to_digits(x, 3, -16, 0)), 57344);
        return sign | float_to_half(y) >> 8;
    }
    const double y = std::fmin(std::fabs(to_digits(x, 4, -9, 0)), 448);
    if (y < 0x1p-6) return sign | U(std::ldexp(y, 9));
    int exponent;
    const double fraction = std::frexp(y, &exponent);  // y = fraction 2^exponent, fraction in [1/2, 1)
    return sign | U(exponent + 6) << 3 | (U(std::ldexp(fraction, 4)) & 7);
}

void unpack_bytes(Warp& w, const Instruction& i, U lanes) {
    const U* b = B;
    const int shift = i.kind & IS_UPPER ? 16 : 0;
    each(D, lanes, [&](int l) {
        return U(half_of_byte(b[l] >> shift & 0xff, i.kind)) |
               U(half_of_byte(b[l] >> (shift + 8) & 0xff, i.kind)) << 16;
    });
}

/// a and b, or the halves of b, into the lower half of the word: above them stands c's.
void pack_bytes(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    each(D, lanes, [&](int l) {
        const bool of_halves = i.kind & FROM_HALVES;
        const double upper = of_halves ? half_of(b[l], 1, false) : f32(a[l]);
        const double lower = of_halves ? half_of(b[l], 0, false) : f32(b[l]);
        return to_byte(lower, i.kind) | to_byte(upper, i.kind) << 8 | c[l] << 16;
    });
}

}  // namespace

/// F2FP with a format of eight bits.
Handler make_f2fp_of_bytes(Decoder& d) {
    const int format = d.one_of({"E4M3", "E5M2"}, "format");
    d.out.kind = std::uint8_t((format == 1 ? IS_E5M2 : 0) | (d.has("RELU") ? NOT_BELOW_0 : 0));
    if (d.has("UNPACK_B")) {
        d.one_of({"F16"}, "format");
        if (d.operand(1).suffix == "H1") d.out.kind |= IS_UPPER;
        d.read("d b");
        return unpack_bytes;
    }
    d.one_of({"SATFINITE"}, "it does not saturate");
    if (d.has("UNPACK_B_MERGE_C")) {
        d.one_of({"F16"}, "format");
        d.out.kind |= FROM_HALVES;
        d.read("d halves b logic c");
        return pack_bytes;
    }
    d.one_of({"PACK_AB_MERGE_C"}, "form");
    d.one_of({"F32"}, "format");
    d.read("d f32 a b logic c");
    return pack_bytes;
}

}  // namespace sass
