// Half precision and bfloat16: conversions with every rounding.
#pragma once
#include <cmath>
#include <cstdint>

#include "simt/run/lanes.h"

namespace sass {

/// The value of a double in a format of `digits` significant bits and smallest exponent `least`, as an
/// integer multiple of the spacing there. rounding: 0 nearest even, 1 down, 2 up, 3 to zero.
inline double to_digits(double x, int digits, int least, int rounding) {
    if (x == 0 || std::isinf(x) || x != x) return x;
    int exponent;
    std::frexp(x, &exponent);
    const int unit = exponent - digits < least ? least : exponent - digits;
    const double scaled = std::ldexp(x, -unit), floor = std::floor(scaled), rest = scaled - floor;
    double whole = floor;
    if (rounding == 0)
        whole += rest > 0.5 || (rest == 0.5 && std::fmod(floor, 2) != 0) ? 1 : 0;
    else if (rounding == 2)
        whole += rest > 0 ? 1 : 0;
    else if (rounding == 3)
        whole += rest > 0 && x < 0 ? 1 : 0;
    return whole == 0 ? std::copysign(0., x) : std::ldexp(whole, unit);
}

inline float half_to_float(std::uint16_t h) {
    const std::uint32_t sign = std::uint32_t(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 1023;
    if (exponent == 31) return f32(sign | 0x7f800000 | fraction << 13);
    const float magnitude =
        exponent == 0 ? std::ldexp(float(fraction), -24) : f32((exponent + 112) << 23 | fraction << 13);
    return sign ? -magnitude : magnitude;
}

inline std::uint16_t float_to_half(double x, int rounding = 0) {
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    if (x != x) return 0x7fff;
    double y = std::fabs(to_digits(x, 11, -24, rounding));
    if (y > 65504) {
        const bool away =
            std::isinf(x) || rounding == 0 || (rounding == 1 && sign) || (rounding == 2 && !sign);
        return std::uint16_t(sign | (away ? 0x7c00 : 0x7bff));
    }
    if (y < 6.103515625e-05) return std::uint16_t(sign | std::uint16_t(std::ldexp(y, 24)));
    int exponent;
    const double fraction = std::frexp(y, &exponent);  // y = fraction 2^exponent, fraction in [1/2, 1)
    return std::uint16_t(sign | (exponent + 14) << 10 | (std::uint32_t(std::ldexp(fraction, 11)) & 1023));
}

inline std::uint16_t float_to_bfloat(double x, int rounding = 0) {
    if (x != x) return 0x7fff;
    const double y = to_digits(x, 8, -133, rounding);
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    if (std::fabs(y) > 3.3895313892515355e38) {
        const bool away =
            std::isinf(x) || rounding == 0 || (rounding == 1 && sign) || (rounding == 2 && !sign);
        return std::uint16_t(sign | (away ? 0x7f80 : 0x7f7f));
    }
    return std::uint16_t(u32(float(y)) >> 16);
}

/// One number of a pair, of halves or of bfloat16.
inline double half_of(std::uint32_t pair, int which, bool bfloat) {
    const auto h = std::uint16_t(pair >> 16 * which);
    return bfloat ? f32(std::uint32_t(h) << 16) : half_to_float(h);
}
inline std::uint16_t half_bits(double x, bool bfloat) {
    return bfloat ? float_to_bfloat(x) : float_to_half(x);
}

/// a b + c, rounded once more only: a sum that double precision cuts gets an odd last digit, which tells the
/// later rounding on which side of a tie it lies (round to odd).
inline double fused(double a, double b, double c) {
    const double product = a * b, sum = product + c;  // the product is exact: 22 digits, or b is a power of 2
    if (!std::isfinite(sum)) return sum;
    const double part = sum - product, error = (product - (sum - part)) + (c - part);
    if (error == 0) return sum;
    auto word = bits<std::uint64_t>(sum);
    if (word & 1) return sum;
    const bool grows = (error > 0) == (sum > 0);
    return bits<double>(grows ? word + 1 : word - 1);
}

}  // namespace sass
