// Vectors that a case allocates itself: see Suite::own. Cases that work on the same vectors share them.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "experiments/harness/case.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/oracle.h"

namespace harness {

/// A vector on the device.
template <class T>
class OwnVector {
   public:
    explicit OwnVector(long long n) : n_(n) { check(cudaMalloc(&data_, bytes()), "cudaMalloc"); }
    ~OwnVector() { (void)cudaFree(data_); }
    OwnVector(const OwnVector&) = delete;
    OwnVector& operator=(const OwnVector&) = delete;

    /// Set element i to at(i). Several threads call at() concurrently.
    template <class At>
    void fill(At at) {
        fill_with(data_, n_, at);
    }
    void poison() { check(cudaMemset(data_, POISON, bytes()), "cudaMemset"); }

    T* data() { return data_; }
    DeviceBytes view() const { return {data_, bytes()}; }
    long long bytes() const { return n_ * static_cast<long long>(sizeof(T)); }
    /// A reader of the first `count` elements, in ascending order from element `begin` on.
    Reader<T> read(long long count, long long begin = 0) const {
        return Reader<T>(data_, count, Memory::device, begin);
    }
    T read_first() const {
        T first;
        check(cudaMemcpy(&first, data_, sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return first;
    }

   private:
    T* data_ = nullptr;
    long long n_;
};

/// A function that calls make() when it is first called and returns the same object on every call.
template <class T>
std::function<std::shared_ptr<T>()> made_once(std::function<std::shared_ptr<T>()> make) {
    return [made = std::make_shared<std::shared_ptr<T>>(), make = std::move(make)] {
        if (!*made) *made = make();
        return *made;
    };
}

// Shuffled inputs: the numbers 0 .. 2^bits - 1 in pseudo-random order, so that every element tells where it
// was.

/// The inverse of `odd` modulo 2^64. Each step doubles the number of correct bits.
constexpr std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t found = odd;
    for (int right = 3; right < 64; right *= 2) found *= 2 - odd * found;
    return found;
}

/// A permutation of the numbers of `bits` bits, at most 64, and its inverse: rounds of a multiplication by an
/// odd number and an xor-shift by half of the bits, both of which are invertible.
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
    /// The index at which at() gives this number.
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
