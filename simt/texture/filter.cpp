// Interpolation to the bit, as it was found from an H200.
#include "simt/texture/filter.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "simt/instructions/arithmetic/half.h"
#include "simt/run/lanes.h"

namespace sass {
namespace {

using U = std::uint32_t;
using S64 = std::int64_t;

constexpr int MOST = Texels::MOST;
constexpr U NAN_32 = 0x7fffffff, NAN_OF_HALF = 0x7fffe000, INFINITE = 0x7f800000, SIGN = 0x80000000;

int largest(const Format& format) {
    return (1 << (format.bits - (format.kind == Format::is_signed ? 1 : 0))) - 1;
}

/// A colour of the border, as bits of the format: an integer is the float's lowest bits; a fraction is
/// rounded, halves to zero; a half is cut.
U border_of(const Texture& t, unsigned channel) {
    const Format& f = t.format;
    if (f.kind == Format::is_float && f.bits == 16) return float_to_half(f32(t.border[channel]), 3);
    if (f.kind == Format::is_float || !t.gives_fractions) return t.border[channel];
    const float value = f32(t.border[channel]);
    if (std::isnan(value)) return 0;
    const float all = std::clamp(value, f.kind == Format::is_signed ? -1.0f : 0.0f, 1.0f) * float(largest(f));
    return U(S64(std::copysign(std::ceil(std::fabs(all) - 0.5f), all)));
}

/// The channel's bits; of an integer extended to 32.
U raw(const Texture& t, std::uint64_t address, unsigned channel) {
    const Format& f = t.format;
    U bits = 0;
    if (address == 0)
        bits = border_of(t, channel);
    else
        std::memcpy(&bits, reinterpret_cast<const char*>(address) + channel * f.bits / 8, f.bits / 8);
    if (f.bits == 32 || f.kind == Format::is_float) return bits;
    const unsigned unused = 32 - f.bits;
    return f.kind == Format::is_signed ? U(std::int32_t(bits << unused) >> unused) : bits << unused >> unused;
}

U float_of(const Texture& t, std::uint64_t address, unsigned channel) {
    const U bits = raw(t, address, channel);
    return t.format.bits == 16 ? u32(half_to_float(std::uint16_t(bits))) : bits;
}

float fraction(S64 value, int most) { return float(double(std::max<S64>(value, -most)) / most); }

// --- Floats and halves. Four texels of a plane are aligned to the largest that has a weight, with 4 more
// bits than the format has: what does not fit is cut off. The sum is exact, and rounded once, halves away
// from zero.

struct Sum {
    S64 value = 0;  ///< in units of 2^(exponent - digits - 11)
    int exponent = -900;
};

/// digits: of the format's numbers, 24 or 11.
Sum sum_of_plane(const U* texels, const std::uint16_t* weights, int digits) {
    Sum sum;
    const auto exponent = [](U bits) { return int(bits >> 23 & 255) - 127; };
    const auto counts = [&](int n) { return weights[n] != 0 && (texels[n] & INFINITE) != 0; };
    for (int n = 0; n < 4; ++n)
        if (counts(n)) sum.exponent = std::max(sum.exponent, exponent(texels[n]));
    for (int n = 0; n < 4; ++n) {
        if (!counts(n)) continue;
        const int shift = sum.exponent - exponent(texels[n]) + 24 - digits;
        const S64 mantissa = S64((texels[n] & 0x7fffff) | 0x800000) << 4;
        const S64 product = shift > 40 ? 0 : (mantissa >> shift) * weights[n];
        sum.value += texels[n] & SIGN ? -product : product;
    }
    return sum;
}

/// Planes: the one of smaller numbers is shifted to the unit of the other's, with one bit more.
Sum sum_of_planes(const Sum& one, const Sum& other) {
    const Sum& large = one.exponent >= other.exponent ? one : other;
    const Sum& small = one.exponent >= other.exponent ? other : one;
    const int shift = std::min(62, large.exponent - small.exponent);
    return {large.value * 2 + ((small.value * 2) >> shift), large.exponent - 1};
}

/// least: the exponent of the format's least digit. A float that has no such digits is 0.
U rounded(const Sum& sum, int digits, int least) {
    const U sign = sum.value < 0 ? SIGN : 0;
    const auto magnitude = std::uint64_t(sum.value < 0 ? -sum.value : sum.value);
    if (magnitude == 0) return 0;
    const int unit = sum.exponent - digits - 11;
    const int above = std::max({0, 64 - __builtin_clzll(magnitude) - digits, std::min(63, least - unit)});
    const std::uint64_t whole = above > 0 ? (magnitude + (1ull << (above - 1))) >> above : magnitude;
    const float value = std::ldexp(float(whole), above + unit);
    return (value < FLT_MIN ? 0 : u32(value)) | sign;
}

U interpolated(const U (&texels)[MOST], const Texels& at, int digits, int least) {
    const Sum near = sum_of_plane(texels, at.weight, digits);
    const bool is_volume = (at.read & 0xf0) != 0;
    if (!is_volume) return rounded(near, digits, least);
    return rounded(sum_of_planes(near, sum_of_plane(texels + 4, at.weight + 4, digits)), digits, least);
}

/// What is no number, or no finite one, decides by itself; so does a zero its sign.
U filtered_reals(const Texture& t, const Texels& at, unsigned channel) {
    U texels[MOST] = {};
    bool is_nan = false, is_high = false, is_low = false, is_negative = true;
    for (int n = 0; n < MOST; ++n) {
        if (!(at.read >> n & 1)) continue;
        texels[n] = float_of(t, at.address[n], channel);
        const U size = texels[n] & ~SIGN;
        is_nan |= size > INFINITE;
        if (size == INFINITE) (texels[n] & SIGN ? is_low : is_high) = true;
        is_negative &= (texels[n] & SIGN) != 0;
    }
    const bool is_half = t.format.bits == 16;
    if (is_nan || (is_high && is_low)) return is_half ? NAN_OF_HALF : NAN_32;
    if (is_high || is_low) return INFINITE | (is_low ? SIGN : 0);
    const U value = is_half ? interpolated(texels, at, 11, -24) : interpolated(texels, at, 24, -200);
    return value == 0 && is_negative ? SIGN : value;
}

/// Fractions become integers of 16 bits, halves rounded up.
U filtered_fractions(const Texture& t, const Texels& at, unsigned channel) {
    S64 sum = 0;
    for (int n = 0; n < MOST; ++n)
        if (at.read >> n & 1) sum += S64(std::int32_t(raw(t, at.address[n], channel))) * at.weight[n];
    const bool is_signed = t.format.kind == Format::is_signed;
    if (t.format.bits == 16)
        sum = (sum + 128) >> 8;
    else if (is_signed)
        sum += (sum + 64 + 16 * (sum >> 12)) >> 7;  // 127 becomes 32,767
    else
        sum += (sum + 128) >> 8;  // 255 becomes 65,535
    return u32(fraction(sum, is_signed ? 32767 : 65535));
}

}  // namespace

U element_of(const Texture& t, std::uint64_t address, unsigned channel) {
    if (channel >= t.format.channels) return 0;
    if (t.format.kind == Format::is_float) return float_of(t, address, channel);
    const U bits = raw(t, address, channel);
    return t.gives_fractions ? u32(fraction(std::int32_t(bits), largest(t.format))) : bits;
}

U filtered(const Texture& t, const Texels& at, unsigned channel) {
    if (channel >= t.format.channels) return 0;
    if (t.format.kind == Format::is_float) return filtered_reals(t, at, channel);
    return filtered_fractions(t, at, channel);
}

}  // namespace sass
