// Element types as they appear in the names of cases.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>

#include "kernels/operators.cuh"

namespace harness {

/// "int8", "float", .. ; composed affine maps by the type of their coefficients: "affine_float".
template <class T>
inline constexpr const char* TYPE_NAME = nullptr;
template <>
inline constexpr const char* TYPE_NAME<std::int8_t> = "int8";
template <>
inline constexpr const char* TYPE_NAME<std::int16_t> = "int16";
template <>
inline constexpr const char* TYPE_NAME<std::int32_t> = "int32";
template <>
inline constexpr const char* TYPE_NAME<long long> = "int64";
template <>
inline constexpr const char* TYPE_NAME<float> = "float";
template <>
inline constexpr const char* TYPE_NAME<double> = "double";
template <>
inline constexpr const char* TYPE_NAME<Affine<float>> = "affine_float";
template <>
inline constexpr const char* TYPE_NAME<Affine<double>> = "affine_double";

template <class T>
Levels type_factor() {
    static_assert(TYPE_NAME<T> != nullptr, "name the type in type_names.h");
    return {{"type", TYPE_NAME<T>}};
}

/// Type and operator: sum, or affine for composed affine maps.
template <class T, class Op>
Levels type_and_operator() {
    constexpr bool IS_SUM = std::is_same_v<Op, Sum<T>>;
    static_assert(IS_SUM || !std::is_arithmetic_v<T>, "numbers are only summed");
    return type_factor<T>() + Levels{{"operator", IS_SUM ? "sum" : "affine"}};
}

}  // namespace harness
