// Input for the operators that combine more than numbers: affine maps, strings of brackets, flagged values.
#pragma once
#include "experiments/harness/input.h"
#include "kernels/operators.cuh"
#include "kernels/segmented.cuh"

/// What lies in the hole behind the flag is nobody's business.
inline bool operator==(Flagged<int> a, Flagged<int> b) { return a.value == b.value && a.starts == b.starts; }

namespace harness {
template <>
struct Input<Affine<unsigned>> {
    static Affine<unsigned> at(std::uint64_t seed, std::uint64_t i) {
        return {2u * static_cast<unsigned>(input_value(seed, i)) + 1, static_cast<unsigned>(i)};
    }
};
template <>
struct Input<Brackets> {
    static Brackets at(std::uint64_t seed, std::uint64_t i) {
        const int value = input_value(seed, i);
        return value < 0 ? Brackets{-value, 0} : Brackets{0, value};
    }
};
template <>
struct Input<Flagged<int>> {
    static Flagged<int> at(std::uint64_t seed, std::uint64_t i) {
        const int value = input_value(seed, i);
        return {value, value == 5};
    }
};
}  // namespace harness
