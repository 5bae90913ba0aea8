// The input of every experiment: element i is a function of i and a seed, so it can be made again anywhere
// and need not be kept.
//
// Values are the difference of two random 3-bit numbers: integers in -7 .. 7 with mean 0.
//
// Why integers: sums are then exact in every type, so results are compared for equality, and one lost
// element shows at any n. Why small: a float holds every integer up to 2^24. By Hoeffding's inequality a
// sum of m such values leaves +-2^24 with a probability below 2 exp(-2 (2^24)^2 / (14^2 m)); for
// m = 2^30 that is 2 exp(-2675). So whatever the order in which an algorithm adds up, no partial sum
// rounds, and equality is the error bound. If one did, a right result would be called wrong, never a wrong
// one right.
#pragma once
#include <cstdint>

#include "experiments/harness/suite.h"

namespace harness {

/// Element `index` of the input.
inline int input_value(std::uint64_t seed, std::uint64_t index) {
    // A 32-bit finaliser (Wellons, "Prospecting for hash functions", 2018): enough, and it vectorises.
    auto bits = static_cast<std::uint32_t>(index + seed * 0x9e3779b97f4a7c15u);
    bits = (bits ^ bits >> 16) * 0x7feb352du;
    bits = (bits ^ bits >> 15) * 0x846ca68bu;
    bits ^= bits >> 16;
    return static_cast<int>(bits & 7) - static_cast<int>(bits >> 3 & 7);
}

/// Write the first n elements of the input to `device`.
void fill(Element element, void* device, long long n, std::uint64_t seed);

/// Compare a result with what a sequential scan or sum in 64-bit integers gives, or, where nothing is to be
/// written, with POISON. `result` lies on the device, or on the host. Returns "" if every element is right,
/// else the first that is not.
std::string find_error(const Case& c, std::uint64_t seed, const void* result);

/// What outputs are filled with before a check: in all three types far from any sum of the input.
inline constexpr int POISON = 0x7f;

}  // namespace harness
