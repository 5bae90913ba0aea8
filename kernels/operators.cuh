// Operators: how a scan or a reduction combines two elements.
//
// An operator is a function object with an associative T operator()(T left, T right), and with static T
// identity(), its neutral element. Nothing else is promised, unless it says so: by a static COMMUTES, or by a
// static IS_TOTAL that it may be given any two values. The last two operators here are not commutative: an
// algorithm that swaps operands gives a wrong answer.
#pragma once
#include <cuda_runtime.h>

#include <limits>
#include <type_traits>

struct __half;         // of cuda_fp16.h
struct __nv_bfloat16;  // of cuda_bf16.h

namespace trial {

template <class T>
struct Sum {
    static constexpr bool IS_TOTAL = true;
    static constexpr bool COMMUTES = std::is_arithmetic_v<T>;
    __host__ __device__ T operator()(T left, T right) const { return left + right; }
    __host__ __device__ static T identity() { return T(0); }
};

/// The least and the greatest value of a type, infinity included. Without them Max and Min have no neutral
/// element: a call that needs one wants a seed instead, and says so when it is compiled. Of a type of one's
/// own: specialize std::numeric_limits.
template <class T, class = void>
struct Limits {
    static constexpr bool EXIST = false;
};
template <class T>
struct Limits<T, std::enable_if_t<std::numeric_limits<T>::is_specialized>> {
    using Of = std::numeric_limits<T>;
    static constexpr bool EXIST = true;
    static constexpr T LOWEST = Of::has_infinity ? -Of::infinity() : Of::lowest();
    static constexpr T LARGEST = Of::has_infinity ? Of::infinity() : Of::max();
    static constexpr T NOT_A_NUMBER = Of::quiet_NaN();
    __host__ __device__ static T lowest() { return LOWEST; }
    __host__ __device__ static T largest() { return LARGEST; }
    __host__ __device__ static T nan() { return NOT_A_NUMBER; }
};

template <class T>
inline constexpr bool IS_HALF = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
template <class T>
struct Limits<T, std::enable_if_t<IS_HALF<T>>> {  // CUDA's headers do not specialize std::numeric_limits
    static constexpr bool EXIST = true;
    __host__ __device__ static T lowest() { return T(Limits<float>::LOWEST); }
    __host__ __device__ static T largest() { return T(Limits<float>::LARGEST); }
    __host__ __device__ static T nan() { return T(Limits<float>::NOT_A_NUMBER); }
};

template <class T>
inline constexpr bool IS_WIDE_INTEGER = std::is_same_v<T, __int128> || std::is_same_v<T, unsigned __int128>;
template <class T>  // nor does -std=c++17 specialize it for these
struct Limits<T, std::enable_if_t<IS_WIDE_INTEGER<T> && !std::numeric_limits<T>::is_specialized>> {
    static constexpr bool EXIST = true;
    __host__ __device__ static constexpr T lowest() { return ~largest(); }
    __host__ __device__ static constexpr T largest() {
        return static_cast<T>(~static_cast<unsigned __int128>(0) >> (std::is_same_v<T, __int128> ? 1 : 0));
    }
};

/// Whether a value is a NaN, which numbers of the language's and CUDA's floating types alone may be.
template <class T>
inline constexpr bool MAY_BE_NAN = std::is_floating_point_v<T> || IS_HALF<T>;
template <class T>
__host__ __device__ bool is_nan(const T& value) {
    if constexpr (MAY_BE_NAN<T>)
        return !(value == value);
    else
        return false;
}

/// The greatest by <. A NaN wins, whatever the order of operands (IEEE 754-2019, maximum); of -0 and +0,
/// which are equal, the left one is kept.
template <class T>
struct Max {
    static constexpr bool IS_TOTAL = true;
    static constexpr bool COMMUTES = std::is_integral_v<T>;
    __host__ __device__ T operator()(T left, T right) const {
        return left < right || is_nan(right) ? right : left;
    }
    template <class U = T>
    __host__ __device__ static std::enable_if_t<Limits<U>::EXIST, T> identity() {
        return Limits<U>::lowest();
    }
};

/// The least by <, likewise (IEEE 754-2019, minimum).
template <class T>
struct Min {
    static constexpr bool IS_TOTAL = true;
    static constexpr bool COMMUTES = std::is_integral_v<T>;
    __host__ __device__ T operator()(T left, T right) const {
        return right < left || is_nan(right) ? right : left;
    }
    template <class U = T>
    __host__ __device__ static std::enable_if_t<Limits<U>::EXIST, T> identity() {
        return Limits<U>::largest();
    }
};

/// The greatest by < of what is no NaN (IEEE 754-2019, maximumNumber; C's fmax). The neutral element is NaN:
/// of no numbers there is no greatest.
template <class T>
struct MaxNumber {
    static constexpr bool IS_TOTAL = true;
    static_assert(MAY_BE_NAN<T>, "of a type without NaN: Max");
    __host__ __device__ T operator()(T left, T right) const {
        return left < right || is_nan(left) ? right : left;
    }
    __host__ __device__ static T identity() { return Limits<T>::nan(); }
};

/// The least, likewise (IEEE 754-2019, minimumNumber; C's fmin).
template <class T>
struct MinNumber {
    static constexpr bool IS_TOTAL = true;
    static_assert(MAY_BE_NAN<T>, "of a type without NaN: Min");
    __host__ __device__ T operator()(T left, T right) const {
        return right < left || is_nan(left) ? right : left;
    }
    __host__ __device__ static T identity() { return Limits<T>::nan(); }
};

template <class T>
struct Product {
    static constexpr bool IS_TOTAL = true;
    static constexpr bool COMMUTES = std::is_arithmetic_v<T>;
    __host__ __device__ T operator()(T left, T right) const { return left * right; }
    __host__ __device__ static T identity() { return T(1); }
};

/// Halves are added and multiplied in float, and rounded when a call stores them.
template <>
struct Sum<__half> : Sum<float> {};
template <>
struct Sum<__nv_bfloat16> : Sum<float> {};
template <>
struct Product<__half> : Product<float> {};
template <>
struct Product<__nv_bfloat16> : Product<float> {};

/// The map x -> a x + b. On unsigned integers composition is exact (modulo 2^32).
template <class T>
struct Affine {
    T a, b;
};

/// Apply the left map first, then the right one. Not commutative.
template <class T>
struct ComposeAffine {
    static constexpr bool IS_TOTAL = true;
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
    static constexpr bool IS_TOTAL = true;
    __host__ __device__ Brackets operator()(Brackets left, Brackets right) const {
        const int matched = left.open < right.close ? left.open : right.close;
        return {left.close + right.close - matched, left.open + right.open - matched};
    }
    __host__ __device__ static Brackets identity() { return {0, 0}; }
};

}  // namespace trial
