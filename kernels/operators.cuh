// Operators: how a scan or a reduction combines two elements.
//
// An operator is a function object with an associative T operator()(T left, T right), and with static T
// identity(), its neutral element. Nothing else is promised, unless it says so by a static COMMUTES. The last
// two operators here are not commutative: an algorithm that swaps operands gives a wrong answer.
#pragma once
#include <cuda_runtime.h>

#include <limits>
#include <type_traits>

namespace trial {

template <class T>
struct Sum {
    static constexpr bool COMMUTES = std::is_arithmetic_v<T>;
    __host__ __device__ T operator()(T left, T right) const { return left + right; }
    __host__ __device__ static T identity() { return T(0); }
};

/// Compares by <: if the right operand is NaN, the left one is kept; a NaN on the left is kept too.
template <class T>
struct Max {
    static constexpr bool COMMUTES = std::is_integral_v<T>;
    __host__ __device__ T operator()(T left, T right) const { return left < right ? right : left; }
    __host__ __device__ static T identity() { return LOWEST; }
    static constexpr T LOWEST = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                     : std::numeric_limits<T>::lowest();
};

template <class T>
struct Min {
    static constexpr bool COMMUTES = std::is_integral_v<T>;
    __host__ __device__ T operator()(T left, T right) const { return right < left ? right : left; }
    __host__ __device__ static T identity() { return LARGEST; }
    static constexpr T LARGEST = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                      : std::numeric_limits<T>::max();
};

template <class T>
struct Product {
    static constexpr bool COMMUTES = std::is_arithmetic_v<T>;
    __host__ __device__ T operator()(T left, T right) const { return left * right; }
    __host__ __device__ static T identity() { return T(1); }
};

/// The map x -> a x + b. On unsigned integers composition is exact (modulo 2^32).
template <class T>
struct Affine {
    T a, b;
};

/// Apply the left map first, then the right one. Not commutative.
template <class T>
struct ComposeAffine {
    __host__ __device__ Affine<T> operator()(Affine<T> left, Affine<T> right) const {
        return {right.a * left.a, right.a * left.b + right.b};
    }
    __host__ __device__ static Affine<T> identity() { return {T(1), T(0)}; }
};

/// An element of the bicyclic monoid: a string of brackets with all matching pairs removed, which leaves
/// `close` closing brackets, then `open` opening ones.
struct Brackets {
    int close, open;
};

/// Concatenate two strings of brackets. Not commutative: "(" then ")" is empty, ")" then "(" is not.
struct Bicyclic {
    __host__ __device__ Brackets operator()(Brackets left, Brackets right) const {
        const int matched = left.open < right.close ? left.open : right.close;
        return {left.close + right.close - matched, left.open + right.open - matched};
    }
    __host__ __device__ static Brackets identity() { return {0, 0}; }
};

}  // namespace trial
