// Elements of any number of bytes, for algorithms that cut vectors into words.
#pragma once
#include <cstdint>
#include <random>

#include "tests/kernels/elements.h"

/// Elements of SIZE bytes. The first byte of a sum is the left one's, the last byte the right one's, those
/// between are added up: not commutative, and without a neutral element but in name.
template <int SIZE>
struct Bytes {
    std::uint8_t byte[SIZE];
};
template <int SIZE>
struct JoinBytes {
    __host__ __device__ Bytes<SIZE> operator()(Bytes<SIZE> left, Bytes<SIZE> right) const {
        Bytes<SIZE> both = left;
        for (int k = 1; k + 1 < SIZE; ++k) both.byte[k] = std::uint8_t(left.byte[k] + right.byte[k]);
        both.byte[SIZE - 1] = right.byte[SIZE - 1];
        return both;
    }
    __host__ __device__ static Bytes<SIZE> identity() { return {}; }
};
template <int SIZE>
__host__ __device__ bool same(const Bytes<SIZE>& a, const Bytes<SIZE>& b) {
    bool equal = true;
    for (int k = 0; k < SIZE; ++k) equal = equal && a.byte[k] == b.byte[k];
    return equal;
}
/// How to make an element whose sums are exact in any order.
template <class T>
struct Maker {
    static T make(std::mt19937& random) { return exact_element<T>(random); }
};
template <int SIZE>
struct Maker<Bytes<SIZE>> {
    static Bytes<SIZE> make(std::mt19937& random) {
        Bytes<SIZE> value;
        for (auto& byte : value.byte) byte = std::uint8_t(random());
        return value;
    }
};
