// Element types and operators that every scan must support, and how to generate their elements.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "kernels/operators.cuh"
#include "kernels/segmented.cuh"
#include "kernels/test/oracle.h"
#include "kernels/test/some_types.h"

using namespace trial;

/// The first, the last and the count of a row of numbers: 12 bytes.
struct Row {
    int first, last, length;
};
struct Append {
    __host__ __device__ Row operator()(Row left, Row right) const {
        return {left.length > 0 ? left.first : right.first, right.length > 0 ? right.last : left.last,
                left.length + right.length};
    }
    __host__ __device__ static Row identity() { return {0, 0, 0}; }
};

/// The sum of numbers and the last of them, 8 bytes, which record whether they were ever combined with the
/// neutral element. Many algorithms guarantee that they are not: they do not pad partial tiles with it.
struct Pure {
    int sum;
    std::int8_t last;
    bool neutral, spoilt;
};
struct PureSum {
    __host__ __device__ Pure operator()(Pure left, Pure right) const {
        return {left.sum + right.sum, right.last, false,
                left.neutral || right.neutral || left.spoilt || right.spoilt};
    }
    __host__ __device__ static Pure identity() { return {0, 0, true, false}; }
};

__host__ __device__ inline bool same(const Row& a, const Row& b) {
    return a.first == b.first && a.last == b.last && a.length == b.length;
}
__host__ __device__ inline bool same(const Pure& a, const Pure& b) {
    return a.sum == b.sum && a.last == b.last && !a.spoilt && !b.spoilt;
}
template <class T>
__host__ __device__ inline bool same(const Flagged<T>& a, const Flagged<T>& b) {
    return a.value == b.value && a.starts == b.starts;
}

/// Elements whose sums and products are exact in any order.
template <class T>
T exact_element(std::mt19937& random) {
    if constexpr (std::is_floating_point_v<T>)
        return T(int(random() % 17) - 8);
    else if constexpr (std::is_same_v<T, int>)
        return int(random() % 2001) - 1000;
    else if constexpr (std::is_integral_v<T>)
        return T(std::uint64_t(random()) << 32 | random());
    else if constexpr (std::is_same_v<T, Affine<unsigned long long>>)
        return {random() | 1ull << 40 | 1u, std::uint64_t(random()) << 20};
    else if constexpr (std::is_same_v<T, Row>)
        return {int(random()), int(random()), 1};
    else if constexpr (std::is_same_v<T, Pure>)
        return {int(random() % 100), std::int8_t(random()), false, false};
    else if constexpr (std::is_same_v<T, Flagged<int>>)
        return {int(random() % 100), random() % 10 == 0};
    else if constexpr (std::is_same_v<T, Flagged<double>>)
        return {double(random() % 100), random() % 10 == 0};
    else
        return random_element<T>(random);
}

template <class T>
std::vector<T> exact_elements(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> values(n);
    for (T& value : values) value = exact_element<T>(random);
    return values;
}

/// Sequential scan that uses the neutral element only as the first result of the exclusive form.
template <class T, class Op>
std::vector<T> pure_oracle(const std::vector<T>& values, std::size_t segment, bool inclusive, Op op) {
    std::vector<T> result(values.size());
    T sum{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool first = i % segment == 0;
        if (!inclusive) result[i] = first ? Op::identity() : sum;
        sum = first ? values[i] : op(sum, values[i]);
        if (inclusive) result[i] = sum;
    }
    return result;
}

template <class T, class Op>
struct Elements {
    using Type = T;
    using Operator = Op;
};

/// Types of 1 to 16 bytes, with and without padding, and operators of which half do not commute: those that
/// `make test` tries have every size, one of them no power of two. What an operator does to each type is
/// tested by itself, in operators.cpp.
using EveryElement = SomeThenOthers<
    testing::Types<Elements<std::int8_t, Sum<std::int8_t>>, Elements<std::int16_t, Min<std::int16_t>>,
                   Elements<float, Max<float>>, Elements<Pure, PureSum>, Elements<Row, Append>,
                   Elements<Affine<unsigned long long>, ComposeAffine<unsigned long long>>>,
    testing::Types<Elements<unsigned, Product<unsigned>>, Elements<int, Sum<int>>,
                   Elements<std::int64_t, Min<std::int64_t>>, Elements<double, Sum<double>>,
                   Elements<Brackets, Bicyclic>, Elements<Affine<unsigned>, ComposeAffine<unsigned>>,
                   Elements<Flagged<int>, Segmented<Sum<int>>>,
                   Elements<Flagged<double>, Segmented<Sum<double>>>>>;
