// Elements of any number of bytes, for algorithms that split vectors into words.
#pragma once
#include <cstdint>
#include <random>

#include "kernels/test/elements.h"

using namespace trial;

/// Elements of SIZE bytes. A sum takes its first byte from the left operand and its last from the right one;
/// the bytes between are added. It is not commutative, and its identity() is no neutral element.
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
/// Makes an element whose sums are exact in any order.
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
