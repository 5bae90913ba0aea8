// What floats, doubles and halves have in common: flushing, rounding, the lesser of two, comparison.
#pragma once
#include <cfenv>
#include <cmath>

#include "simt/decode/decode.h"
#include "simt/run/lanes.h"

namespace sass {

constexpr std::uint64_t QUIET_BIT = 1ull << 51;  ///< of a double that is a NaN

/// Of doubles a GPU keeps NaNs: the first of b, c, a that is one is the result, made quiet (seen on an H200).
inline std::uint64_t wide_nan(double a, double b, double c) {
    for (const double x : {b, c, a})
        if (x != x) return bits<std::uint64_t>(x) | QUIET_BIT;
    return 0xfff8000000000000;
}

/// Denormals become zeros of their sign.
template <class X>
X flushed(X x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(X(0), x) : x;
}

/// How the host rounds for as long as this lives: 0 to nearest, 1 down, 2 up, 3 to zero. To nearest it does
/// anyway, and to say so costs more than a warp's instruction.
class Rounding {
   public:
    explicit Rounding(int rounding) : is_other_(rounding != 0) {
        static constexpr int MODES[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
        if (is_other_) std::fesetround(MODES[rounding]);
    }
    ~Rounding() {
        if (is_other_) std::fesetround(FE_TONEAREST);
    }

   private:
    const bool is_other_;
};

/// To an integral value, rounded so.
inline double whole_of(double x, int rounding) {
    switch (rounding) {
        case 1: return std::floor(x);
        case 2: return std::ceil(x);
        case 3: return std::trunc(x);
        default: return std::nearbyint(x);
    }
}

/// Whether a is the lesser (or the greater) of both: -0 is less than +0, and a number goes before a NaN.
template <class X>
bool is_extreme(X a, X b, bool least) {
    const bool less = (a < b) | ((a == b) & std::signbit(a));
    return (a == a) & ((b != b) | (less == least));
}
/// How FMNMX and HMNMX2 choose: .NAN gives a NaN if either is one, .XORSIGN takes |a| and |b| and gives the
/// result the product's sign.
enum Choice : int { XORSIGN = 16, KEEPS_NAN = 32 };
inline int choice_of(Decoder& d) { return (d.has("NAN") ? KEEPS_NAN : 0) | (d.has("XORSIGN") ? XORSIGN : 0); }
template <class X>
X extreme(X a, X b, bool least, int choice) {
    if (choice & XORSIGN) {
        const X r = extreme(std::fabs(a), std::fabs(b), least, choice & KEEPS_NAN);
        return std::signbit(a) == std::signbit(b) ? r : -r;
    }
    if (choice & KEEPS_NAN && (a != a || b != b)) return a + b;
    return is_extreme(a, b, least) ? a : b;
}

/// Of .XORSIGN, whose sources are |a| and |b|: `extreme` needs their signs, and drops them itself.
inline void keep_signs(Decoder& d) {
    for (Source* source : {&d.out.a, &d.out.b}) source->modifier &= std::uint8_t(~clear_sign);
}

/// How x and y compare: 1 less, 2 equal, 4 greater, 8 unordered. A comparison is the bits for which it holds.
template <class X>
int relation(X x, X y) {
    return x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
}
int comparison_of(Decoder& d);

}  // namespace sass
