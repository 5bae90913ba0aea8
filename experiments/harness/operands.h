// Input for the operators that combine more than numbers: affine maps, strings of brackets, flagged values.
#pragma once
#include "experiments/harness/oracle.h"
#include "kernels/operators.cuh"
#include "kernels/segmented.cuh"

namespace trial {

/// Compared as numbers, whose zero has two representations.
inline bool operator==(Affine<float> a, Affine<float> b) { return a.a == b.a && a.b == b.b; }
inline bool operator==(Affine<double> a, Affine<double> b) { return a.a == b.a && a.b == b.b; }

/// The padding bytes after the flag are not compared.
inline bool operator==(Flagged<int> a, Flagged<int> b) { return a.value == b.value && a.starts == b.starts; }

}  // namespace trial

namespace harness {
template <>
struct Input<Affine<unsigned>> {
    static Affine<unsigned> at(std::uint64_t seed, std::uint64_t i) {
        return {2u * static_cast<unsigned>(input_value(seed, i)) + 1, static_cast<unsigned>(i)};
    }
};
/// x -> x + b or -x + b: they do not commute, and b stays a sum of small integers of either sign, which is
/// exact (input.h).
template <class T>
struct ExactAffineInput {
    static Affine<T> at(std::uint64_t seed, std::uint64_t i) {
        const bool mirrors = input_value(seed + 1, i) < 0;
        return {T(mirrors ? -1 : 1), T(input_value(seed, i))};
    }
};
template <>
struct Input<Affine<float>> : ExactAffineInput<float> {};
template <>
struct Input<Affine<double>> : ExactAffineInput<double> {};
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

ORACLE_COMPILED_ONCE(Affine<unsigned>, ComposeAffine<unsigned>);
ORACLE_COMPILED_ONCE(Affine<float>, ComposeAffine<float>);
ORACLE_COMPILED_ONCE(Affine<double>, ComposeAffine<double>);
ORACLE_COMPILED_ONCE(Brackets, Bicyclic);
ORACLE_COMPILED_ONCE(Flagged<int>, Segmented<Sum<int>>);

}  // namespace harness
