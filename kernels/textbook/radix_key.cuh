// Radix keys: numbers as bits whose unsigned order is the order of the numbers.
//
//     unsigned         as it is                    5  ->  0..0101
//     signed           sign bit flipped           -1  ->  01..111     0 -> 10..000
//     float, positive  sign bit flipped          1.0  ->  1 01111111 0..0
//     float, negative  all bits flipped         -1.0  ->  0 10000000 1..1
//
// For floats this is a total order: -NaN, -infinity, .., -0, +0, .., infinity, NaN.
// Source: Herf, "Radix tricks", 2001.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

template <class Key>
struct RadixKey {
    static_assert(std::is_arithmetic_v<Key>, "keys are numbers");
    static constexpr int BITS = 8 * sizeof(Key);
    using Bits = std::conditional_t<(sizeof(Key) <= 4), unsigned, unsigned long long>;

    /// The key's bits, in the lowest BITS of the result.
    __host__ __device__ static Bits bits(Key key) {
        constexpr Bits SIGN = Bits(1) << (BITS - 1), ALL = SIGN | (SIGN - 1);
        Bits bits = 0;
        memcpy(&bits, &key, sizeof(Key));
        if constexpr (std::is_floating_point_v<Key>) return bits ^ ((bits & SIGN) != 0 ? ALL : SIGN);
        return std::is_signed_v<Key> ? bits ^ SIGN : bits;
    }

    /// `count` bits of the key from bit `first` on; those beyond the highest are 0.
    __host__ __device__ static int digit(Key key, int first, int count) {
        return static_cast<int>(bits(key) >> first & ((Bits(1) << count) - 1));
    }
};
