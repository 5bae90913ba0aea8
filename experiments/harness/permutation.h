// Inputs without a pattern, of which every element says where it was: the numbers 0 .. 2^bits - 1, shuffled.
#pragma once
#include <cstdint>

namespace harness {

/// The number that `odd` times it is 1, modulo 2^64: each step doubles the bits that are right.
constexpr std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t found = odd;
    for (int right = 3; right < 64; right *= 2) found *= 2 - odd * found;
    return found;
}

/// A permutation of the numbers of `bits` bits, at most 64, and its inverse: rounds of a multiplication by an
/// odd number and a shift by half of the bits, both of which can be undone.
class Permutation {
   public:
    explicit Permutation(int bits)
        : half_((bits + 1) / 2), mask_(bits == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1) {}

    std::uint64_t at(std::uint64_t index) const {
        for (int round = 0; round < ROUNDS; ++round) {
            index = index * FACTOR & mask_;
            index ^= index >> half_;
        }
        return index;
    }
    /// Which index has this number.
    std::uint64_t where(std::uint64_t number) const {
        constexpr std::uint64_t INVERSE = inverse_of(FACTOR);
        for (int round = 0; round < ROUNDS; ++round) {
            number ^= number >> half_;
            number = number * INVERSE & mask_;
        }
        return number;
    }

   private:
    static constexpr int ROUNDS = 3;
    static constexpr std::uint64_t FACTOR = 0x9e3779b97f4a7c15u;

    int half_;
    std::uint64_t mask_;
};

}  // namespace harness
