// The input of every experiment: element i is a function of i and a seed, so it can be regenerated anywhere
// and need not be stored.
//
// Values are the difference of two random 3-bit numbers: integers in -7 .. 7 with mean 0.
//
// Why integers: sums are then exact in every type, so results are compared for equality, and one lost element
// is detected at any n. Why small: a float holds every integer up to 2^24. By Hoeffding's inequality a sum of
// m such values leaves +-2^24 with a probability below 2 exp(-2 (2^24)^2 / (14^2 m)); for m = 2^32 that is 2
// exp(-668). So no partial sum rounds, in whatever order an algorithm adds, and equality is the error bound.
// If one did round, a right result would be reported as wrong, never a wrong one as right.
#pragma once
#include <cstdint>

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

/// The input as elements of type T. An experiment may specialise it for a type of its own.
template <class T>
struct Input {
    static T at(std::uint64_t seed, std::uint64_t index) { return static_cast<T>(input_value(seed, index)); }
};

}  // namespace harness
