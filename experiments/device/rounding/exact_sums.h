// Rounding errors of float sums: inputs whose sums an integer holds exactly, and the distance from these
// sums.
//
// Every element is an integer multiple of UNIT, 2^-24, and below 2^20 in size. So a prefix of n elements is
// an integer multiple of UNIT below 2^20 n; in units that is below 2^(44 + log n), which an integer of 128
// bits holds for any n. Integer addition is exact. A float sum is an integer number of units as well, because
// a sum of multiples of 2^-24 rounds to a multiple, if it rounds at all.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "experiments/harness/case.h"

namespace harness {

inline constexpr double UNIT = 1.0 / (1 << 24);  // also u, the unit roundoff of floats

/// uniform: from 0 to 1. signs: the same, every second element negative. ill: ill-conditioned, over 20 powers
/// of two and of either sign; the second half cancels the first in reverse order, except for the very first
/// element.
enum class FloatInput { uniform, signs, ill };

/// Element i of n in units: an integer of 24 bits times a power of two, so a float holds it.
inline long long units_of(FloatInput input, long long i, long long n) {
    const bool cancels = input == FloatInput::ill && i >= n / 2;
    auto bits = static_cast<std::uint64_t>(cancels ? n - 1 - i : i) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;  // the finaliser of SplitMix64
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    const auto magnitude = static_cast<long long>(bits >> 40);
    if (input == FloatInput::uniform) return magnitude;
    if (input == FloatInput::signs) return i % 2 == 0 ? magnitude : -magnitude;
    if (i == 0) return magnitude;
    if (i == n - 1) return 0;
    const bool negative = (bits >> 32 & 1) != static_cast<std::uint64_t>(cancels);
    const long long wide = magnitude << bits % 20;
    return negative ? -wide : wide;
}

/// The errors of the worst prefix and of the last one.
struct RoundingErrors {
    double max_ulps = 0, total_ulps = 0;      ///< in units in the last place of the exact prefix
    double max_scaled = 0, total_scaled = 0;  ///< in u times the sum of all magnitudes

    /// at(i): the prefix that ends with element i, called in ascending order of i. A NaN has an infinite
    /// error.
    template <class At>
    static RoundingErrors of(FloatInput input, long long n, At at) {
        RoundingErrors e;
        __int128 sum = 0;
        double magnitudes = 0, error = 0, worst = 0;  // a double is exact enough to divide by
        for (long long i = 0; i < n; ++i) {
            const long long x = units_of(input, i, n);
            sum += x;
            magnitudes += static_cast<double>(x < 0 ? -x : x);
            error = distance(static_cast<double>(at(i)) / UNIT, sum);
            const double ulp = ulp_of(sum);
            if (error > worst) worst = error;
            if (error > e.max_ulps * ulp) e.max_ulps = error / ulp;
        }
        e.total_ulps = error / ulp_of(sum);
        e.max_scaled = worst / (UNIT * magnitudes);
        e.total_scaled = error / (UNIT * magnitudes);
        return e;
    }

    /// "" unless the error is beyond the bound for n elements in any order.
    std::string beyond_any_order(long long n) const {
        return max_scaled <= 2.0 * static_cast<double>(n)
                   ? ""
                   : "the error exceeds the bound for any order of additions";
    }

    /// The errors by name; every name begins with `front`.
    Findings findings(const std::string& front) const {
        return {{front + "max_ulps", max_ulps},
                {front + "total_ulps", total_ulps},
                {front + "max_scaled", max_scaled},
                {front + "total_scaled", total_scaled}};
    }

   private:
    static double distance(double got, __int128 exact) {
        if (!(std::fabs(got) < 0x1p100)) return INFINITY;
        constexpr double WORD = 0x1p62;
        const auto whole = std::fabs(got) < WORD ? static_cast<__int128>(static_cast<long long>(got))
                                                 : static_cast<__int128>(got);
        const __int128 difference = whole - exact;
        return std::fabs(static_cast<double>(difference));
    }

    /// One ulp of the float nearest to `exact`, in units; for zero, that of one unit.
    static double ulp_of(__int128 exact) {
        const double size = exact == 0 ? 1 : std::fabs(static_cast<double>(exact));
        std::uint64_t bits;
        std::memcpy(&bits, &size, sizeof(bits));
        bits = (bits >> 52 << 52) - (23ull << 52);  // the power of two below, and 23 less
        double ulp;
        std::memcpy(&ulp, &bits, sizeof(ulp));
        return ulp;
    }
};

}  // namespace harness
