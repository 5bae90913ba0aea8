// What is right: the result that a host finds, one element after the other, for every case to be compared
// with.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "experiments/harness/case.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/input.h"
#include "kernels/operators.cuh"

namespace harness {

/// What outputs are filled with before a check: far from any sum of the input.
inline constexpr int POISON = 0x7f;

/// Elements that are on their way between host and device at a time, in pinned memory.
template <class T>
class Chunk {
   public:
    static constexpr long long SIZE = 1 << 20;

    Chunk() { check(cudaMallocHost(&data_, SIZE * sizeof(T)), "cudaMallocHost"); }
    ~Chunk() { (void)cudaFreeHost(data_); }
    Chunk(const Chunk&) = delete;
    Chunk& operator=(const Chunk&) = delete;
    T* data() { return data_; }

   private:
    T* data_ = nullptr;
};

/// Write the first n elements of the input to `device`.
template <class T>
void fill(void* device, long long n, std::uint64_t seed) {
    Chunk<T> chunk;
    for (long long begin = 0; begin < n; begin += chunk.SIZE) {
        const long long count = std::min(chunk.SIZE, n - begin);
        for (long long i = 0; i < count; ++i) chunk.data()[i] = Input<T>::at(seed, begin + i);
        T* const to = static_cast<T*>(device) + begin;
        check(cudaMemcpy(to, chunk.data(), count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
}

template <class T>
const ElementType& element_type() {
    static const ElementType type = {sizeof(T), fill<T>, std::is_arithmetic_v<T>};
    return type;
}

/// Reads a result from front to back, wherever it lies.
template <class T>
class Reader {
   public:
    Reader(const void* result, long long count, Memory memory)
        : result_(static_cast<const T*>(result)), count_(count), memory_(memory) {}

    T operator[](long long index) {
        if (index == end_) load_next();
        return chunk_.data()[index - begin_];
    }

   private:
    void load_next() {
        begin_ = end_;
        end_ = std::min(begin_ + chunk_.SIZE, count_);
        const auto kind = memory_ == Memory::device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
        check(cudaMemcpy(chunk_.data(), result_ + begin_, (end_ - begin_) * sizeof(T), kind), "cudaMemcpy");
    }

    const T* result_;
    long long count_;
    Memory memory_;
    long long begin_ = 0, end_ = 0;
    Chunk<T> chunk_;
};

/// What sums are added up in: exact, and fast. Other operators work on the elements themselves.
template <class T, class Op>
using Accumulator = std::conditional_t<std::is_arithmetic_v<T> && std::is_same_v<Op, Sum<T>>, long long, T>;

/// Whether values are compared by an == of their own, as those with holes must be; else by their bytes.
template <class T, class = void>
struct HasEquality : std::false_type {};
template <class T>
struct HasEquality<T, std::void_t<decltype(std::declval<const T&>() == std::declval<const T&>())>>
    : std::true_type {};

template <class T>
bool same_value(const T& a, const T& b) {
    if constexpr (HasEquality<T>::value) {
        return a == b;
    } else {
        return std::memcmp(&a, &b, sizeof(T)) == 0;
    }
}

/// "" if equal, else both values. NaN, which equals nothing, is an error.
template <class T>
std::string difference(long long index, const T& expected, const T& got) {
    if constexpr (std::is_arithmetic_v<T>) {
        if (got == expected) return "";
        char text[128];
        std::snprintf(text, sizeof(text), "index %lld: expected %.17g, got %.17g", index, double(expected),
                      double(got));
        return text;
    } else {
        if (same_value(got, expected)) return "";
        return "index " + std::to_string(index) + ": another value than expected";
    }
}

template <class T, class Op, Expected::Kind KIND>
std::string find_error_in(const Case& c, std::uint64_t seed, const void* result) {
    using Sums = std::conditional_t<std::is_same_v<Accumulator<T, Op>, T>, Op, Sum<long long>>;
    const Sums op{};
    Reader<T> results(result, c.out_elements(), c.vector);
    Accumulator<T, Op> sum = Sums::identity();
    long long left_in_segment = c.expected.segment, next = 0;
    for (long long i = 0; i < c.n; ++i) {
        const auto before = sum;
        const T value = Input<T>::at(seed, i);
        sum = op(sum, static_cast<Accumulator<T, Op>>(value));
        const bool ends_segment = --left_in_segment == 0;

        if (KIND != Expected::reduction || ends_segment || i == c.n - 1) {
            const T expected = KIND == Expected::copy             ? value
                               : KIND == Expected::exclusive_scan ? static_cast<T>(before)
                                                                  : static_cast<T>(sum);
            const std::string error = difference(next, expected, results[next]);
            if (!error.empty()) return error;
            ++next;
        }
        if (ends_segment) {
            sum = Sums::identity();
            left_in_segment = c.expected.segment;
        }
    }
    return "";
}

/// Any byte that is not POISON any more was written.
template <class T>
std::string find_write(const Case& c, const void* result) {
    Reader<T> results(result, c.n, c.vector);
    T poison;
    std::memset(static_cast<void*>(&poison), POISON, sizeof(T));
    for (long long i = 0; i < c.n; ++i) {
        const T got = results[i];
        if (std::memcmp(&got, &poison, sizeof(T)) != 0)
            return "index " + std::to_string(i) + ": written, although there is nothing to write";
    }
    return "";
}

/// Compare a result with what a host finds, one element after the other, with the operator Op. Returns "" if
/// every element is right, else the first that is not.
template <class T, class Op>
std::string find_error(const Case& c, std::uint64_t seed, const void* result) {
    switch (c.expected.kind) {
        case Expected::inclusive_scan: return find_error_in<T, Op, Expected::inclusive_scan>(c, seed, result);
        case Expected::exclusive_scan: return find_error_in<T, Op, Expected::exclusive_scan>(c, seed, result);
        case Expected::reduction: return find_error_in<T, Op, Expected::reduction>(c, seed, result);
        case Expected::copy: return find_error_in<T, Op, Expected::copy>(c, seed, result);
        case Expected::nothing: return find_write<T>(c, result);
        case Expected::own: break;
    }
    return "nothing to compare the result with";
}

// Compiled once, in oracle.cpp.
extern template void fill<float>(void*, long long, std::uint64_t);
extern template void fill<double>(void*, long long, std::uint64_t);
extern template void fill<int>(void*, long long, std::uint64_t);
extern template std::string find_error<float, Sum<float>>(const Case&, std::uint64_t, const void*);
extern template std::string find_error<double, Sum<double>>(const Case&, std::uint64_t, const void*);
extern template std::string find_error<int, Sum<int>>(const Case&, std::uint64_t, const void*);

}  // namespace harness
