// Expected results of scans and reductions, computed sequentially.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "kernels/operators.cuh"

using namespace trial;

__host__ __device__ inline bool same(const Brackets& a, const Brackets& b) {
    return a.close == b.close && a.open == b.open;
}
template <class T>
__host__ __device__ inline bool same(const Affine<T>& a, const Affine<T>& b) {
    return a.a == b.a && a.b == b.b;
}
template <class T>
__host__ __device__ inline bool same(const T& a, const T& b) {
    return a == b;  // a NaN equals nothing
}

/// A random element of a type that the tests use.
template <class T>
T random_element(std::mt19937& random) {
    if constexpr (std::is_same_v<T, Brackets>)
        return {int(random() % 3), int(random() % 3)};
    else if constexpr (std::is_same_v<T, Affine<unsigned>>)
        return {unsigned(random()) | 1u, unsigned(random())};
    else if constexpr (std::is_floating_point_v<T>)
        return std::uniform_real_distribution<T>(-1, 1)(random);
    else
        return T(random());
}

template <class T>
std::vector<T> random_vector(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> values(n);
    for (T& value : values) value = random_element<T>(random);
    return values;
}

/// Inclusive or exclusive scan of each group of `segment` consecutive elements.
template <class T, class Op>
std::vector<T> scan_oracle(const std::vector<T>& values, std::size_t segment, bool inclusive, Op op) {
    std::vector<T> result(values.size());
    T sum = Op::identity();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % segment == 0) sum = Op::identity();
        if (!inclusive) result[i] = sum;
        sum = op(sum, values[i]);
        if (inclusive) result[i] = sum;
    }
    return result;
}

/// Error bound of a sum of values of T, added in any order with at most `depth` dependent additions:
/// gamma(depth) times the sum of their magnitudes (Higham, "Accuracy and stability of numerical algorithms",
/// 2002, section 4.2).
template <class T>
double sum_bound(int depth, double sum_of_magnitudes) {
    const double unit = std::numeric_limits<T>::epsilon() / 2;
    return depth * unit / (1 - depth * unit) * sum_of_magnitudes;
}
