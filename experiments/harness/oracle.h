// The oracle: every case is compared with the result that the host computes, one element after the other.
//
// Loops over all elements of a long vector run on all cores. What they need of the standard library is in
// oracle.cpp, as nvcc reads every header of an experiment twice.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "experiments/harness/case.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/input.h"
#include "kernels/operators.cuh"

namespace harness {

/// The byte that outputs are filled with before a check: far from any sum of the input.
inline constexpr int POISON = 0x7f;

/// Call work(i) once for every i from 0 to pieces - 1, on one thread per core; a single piece runs on the
/// calling thread. Each thread calls make() once for its own `work`, so buffers are allocated once per
/// thread. If any of them throws, rethrows one of the exceptions after all threads have ended.
using PieceWork = std::function<void(long long piece)>;
void in_pieces(long long pieces, const std::function<PieceWork()>& make);

/// Call work(part, begin, end) for each part of [0, count), of `size` elements but for the last, as above.
using PartWork = std::function<void(long long part, long long begin, long long end)>;
void in_parts(long long count, long long size, const PartWork& work);

/// Pinned host memory of so many bytes. Pinning is slow, so what is given back is kept for the next call.
void* take_pinned(std::size_t bytes);
void give_back_pinned(void* data, std::size_t bytes);

/// A pinned buffer for elements on their way between host and device.
template <class T>
class Chunk {
   public:
    static constexpr long long SIZE = 1 << 20;

    Chunk() : data_(static_cast<T*>(take_pinned(SIZE * sizeof(T)))) {}
    ~Chunk() { give_back_pinned(data_, SIZE * sizeof(T)); }
    Chunk(const Chunk&) = delete;
    Chunk& operator=(const Chunk&) = delete;
    T* data() { return data_; }

   private:
    T* data_;
};

/// Set element i of the device vector to at(i). Several threads call at() concurrently.
template <class T, class At>
void fill_with(T* device, long long n, At at) {
    constexpr long long SIZE = Chunk<T>::SIZE;
    in_pieces((n + SIZE - 1) / SIZE, [=] {
        return [=, chunk = std::make_shared<Chunk<T>>()](long long piece) {
            const long long begin = piece * SIZE, count = std::min(SIZE, n - begin);
            for (long long i = 0; i < count; ++i) chunk->data()[i] = at(begin + i);
            check(cudaMemcpy(device + begin, chunk->data(), count * sizeof(T), cudaMemcpyHostToDevice),
                  "cudaMemcpy");
        };
    });
}

/// Write elements [begin, end) of the input to host memory.
using WriteInput = void (*)(void* to, std::uint64_t seed, long long begin, long long end);
template <class T>
void write_input(void* to, std::uint64_t seed, long long begin, long long end) {
    for (long long i = begin; i < end; ++i) static_cast<T*>(to)[i - begin] = Input<T>::at(seed, i);
}

/// Write the first n elements of the input to `device`.
void fill_by(WriteInput write, std::size_t bytes_of_element, void* device, long long n, std::uint64_t seed);
template <class T>
void fill(void* device, long long n, std::uint64_t seed) {
    fill_by(write_input<T>, sizeof(T), device, n, seed);
}

template <class T>
const ElementType& element_type() {
    static const ElementType type = {sizeof(T), fill<T>, std::is_arithmetic_v<T>};
    return type;
}

/// Reads a result of `count` elements in ascending order, from element `begin` on, from host or device
/// memory.
template <class T>
class Reader {
   public:
    Reader(const void* result, long long count, Memory memory, long long begin = 0)
        : result_(static_cast<const T*>(result)),
          count_(count),
          memory_(memory),
          begin_(begin),
          end_(begin) {}

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
    long long begin_, end_;  // of the chunk
    Chunk<T> chunk_;
};

/// The type that sums accumulate in: exact and fast. Other operators accumulate in the element type.
template <class T, class Op>
using Accumulator = std::conditional_t<!std::is_arithmetic_v<T> || !std::is_same_v<Op, Sum<T>>, T,
                                       std::conditional_t<std::is_floating_point_v<T>, double, long long>>;

/// Whether T has an == of its own, as types with padding bytes must; other types are compared by their bytes.
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
        return "index " + std::to_string(index) + ": unexpected value";
    }
}

/// The operator on accumulators.
template <class T, class Op>
using Accumulate = std::conditional_t<std::is_same_v<Accumulator<T, Op>, T>, Op, Sum<Accumulator<T, Op>>>;

/// Compare elements [begin, end) of a result: "", or what is wrong with the first that is.
using CompareBetween = std::string (*)(const Case& c, std::uint64_t seed, const void* result, long long begin,
                                       long long end);
/// The first error of `count` elements, compared in parallel in parts of `size`.
std::string first_error(CompareBetween compare, const Case& c, std::uint64_t seed, const void* result,
                        long long count, long long size);

/// The first error, of one for each part; "" if there is none.
std::string first_of(const std::vector<std::string>& errors);

/// Elements that a thread compares at a time. With the element before them they fill a chunk.
template <class T>
inline constexpr long long PIECE = Chunk<T>::SIZE - 1;

/// Compare elements [begin, end) of a scan or a copy. The prefix before them is taken from the result itself,
/// where the part before compares it. By induction from the first part: if no part finds an error, each has
/// started from a correct prefix, and the error in the lowest part is the first error of the result.
template <class T, class Op, Expected::Kind KIND>
std::string find_error_between(const Case& c, std::uint64_t seed, const void* result, long long begin,
                               long long end) {
    using Total = Accumulator<T, Op>;
    const Accumulate<T, Op> op{};
    const auto input = [seed](long long i) { return Input<T>::at(seed, i); };
    const long long before = begin == 0 ? 0 : begin - 1;
    Reader<T> results(result, c.n, c.vector, before);
    Total sum = op.identity();
    long long left_in_segment = c.expected.segment - begin % c.expected.segment;
    if (begin > 0) {
        const auto given = static_cast<Total>(results[before]);
        if (left_in_segment < c.expected.segment)
            sum = KIND == Expected::exclusive_scan ? op(given, static_cast<Total>(input(before))) : given;
    }
    for (long long i = begin; i < end; ++i) {
        const T value = input(i);
        const Total inclusive = op(sum, static_cast<Total>(value));
        const T expected = KIND == Expected::copy             ? value
                           : KIND == Expected::exclusive_scan ? static_cast<T>(sum)
                                                              : static_cast<T>(inclusive);
        const std::string error = difference(i, expected, results[i]);
        if (!error.empty()) return error;
        sum = inclusive;
        if (--left_in_segment == 0) {
            sum = op.identity();
            left_in_segment = c.expected.segment;
        }
    }
    return "";
}

/// The reduction of input elements [begin, end).
template <class T, class Op>
Accumulator<T, Op> total_between(std::uint64_t seed, long long begin, long long end) {
    const Accumulate<T, Op> op{};
    auto sum = op.identity();
    for (long long i = begin; i < end; ++i)
        sum = op(sum, static_cast<Accumulator<T, Op>>(Input<T>::at(seed, i)));
    return sum;
}

/// The same for long ranges: parts are reduced in parallel, then their totals in order.
template <class T, class Op>
Accumulator<T, Op> long_total_between(std::uint64_t seed, long long begin, long long end) {
    std::vector<Accumulator<T, Op>> totals((end - begin + PIECE<T> - 1) / PIECE<T>);
    in_parts(end - begin, PIECE<T>, [&](long long part, long long from, long long to) {
        totals[part] = total_between<T, Op>(seed, begin + from, begin + to);
    });
    const Accumulate<T, Op> op{};
    auto sum = op.identity();
    for (const auto& total : totals) sum = op(sum, total);
    return sum;
}

/// Compare the reductions of segments [begin, end): long segments one after the other, each in parallel.
template <class T, class Op>
std::string find_error_in_reductions(const Case& c, std::uint64_t seed, const void* result, long long begin,
                                     long long end) {
    const long long length = c.expected.segment;
    const auto total_of = length > PIECE<T> ? long_total_between<T, Op> : total_between<T, Op>;
    Reader<T> results(result, c.out_elements(), c.vector, begin);
    for (long long s = begin; s < end; ++s) {
        const auto total = total_of(seed, s * length, std::min((s + 1) * length, c.n));
        const std::string error = difference(s, static_cast<T>(total), results[s]);
        if (!error.empty()) return error;
    }
    return "";
}

/// The exclusive or of the 32-bit words of the input; the last word is padded with zeros.
std::uint32_t digest(WriteInput write, std::size_t bytes_of_element, long long n, std::uint64_t seed);

/// Compare a digest: if every byte was read once, the output is the input's digest combined with the poison
/// there.
template <class T>
std::string find_unread(const Case& c, std::uint64_t seed, const void* result) {
    std::uint32_t poison, found;
    std::memset(&poison, POISON, sizeof(poison));
    std::memset(&found, 0, sizeof(found));
    Reader<T> results(result, c.out_elements(), c.vector);
    for (long long i = 0, bytes = 0; i < c.out_elements(); ++i, bytes += sizeof(T)) {
        const T part = results[i];
        const auto size = std::min<long long>(sizeof(T), sizeof(found) - bytes);
        std::memcpy(reinterpret_cast<char*>(&found) + bytes, &part, size);
    }
    return (found ^ poison) == digest(write_input<T>, sizeof(T), c.n, seed)
               ? ""
               : "some byte was not read exactly once";
}

/// Find a write: any output byte that is no longer POISON.
template <class T>
std::string find_write(const Case& c, const void* result) {
    Reader<T> results(result, c.n, c.vector);
    T poison;
    std::memset(static_cast<void*>(&poison), POISON, sizeof(T));
    for (long long i = 0; i < c.n; ++i) {
        const T got = results[i];
        if (std::memcmp(&got, &poison, sizeof(T)) != 0)
            return "index " + std::to_string(i) + ": written, but the output must stay unchanged";
    }
    return "";
}

/// An operator for work that combines nothing: any that T supports.
template <class T>
struct Right {
    T operator()(T, T right) const { return right; }
    static T identity() { return T{}; }
};
template <class T>
using AnyOperator = std::conditional_t<std::is_arithmetic_v<T>, Sum<T>, Right<T>>;

/// Compare a result with what the host computes, one element after the other, with the operator Op. Returns
/// "" if every element is right, else the first that is wrong.
template <class T, class Op>
std::string find_error(const Case& c, std::uint64_t seed, const void* result) {
    const auto parts = [&](CompareBetween compare) {
        return first_error(compare, c, seed, result, c.n, PIECE<T>);
    };
    const long long length = c.expected.segment, segments = c.out_elements();
    switch (c.expected.kind) {
        case Expected::inclusive_scan: return parts(find_error_between<T, Op, Expected::inclusive_scan>);
        case Expected::exclusive_scan: return parts(find_error_between<T, Op, Expected::exclusive_scan>);
        case Expected::copy: return parts(find_error_between<T, Op, Expected::copy>);
        case Expected::reduction:  // short segments in groups that fill a part
            return first_error(find_error_in_reductions<T, Op>, c, seed, result, segments,
                               length > PIECE<T> ? segments : PIECE<T> / length);
        case Expected::digest: return find_unread<T>(c, seed, result);
        case Expected::nothing: return find_write<T>(c, result);
        case Expected::own: break;
    }
    return "nothing to compare the result with";
}

// Compiled once, in oracle.cpp, where ORACLE_INSTANCE is `template`: here for sums, in operands.h for other
// operators. For other types, where they are used.
#ifndef ORACLE_INSTANCE
#define ORACLE_INSTANCE extern template
#endif
#define ORACLE_COMPILED_ONCE(T, ...)                               \
    ORACLE_INSTANCE void fill<T>(void*, long long, std::uint64_t); \
    ORACLE_INSTANCE std::string find_error<T, __VA_ARGS__>(const Case&, std::uint64_t, const void*)

ORACLE_COMPILED_ONCE(signed char, Sum<signed char>);
ORACLE_COMPILED_ONCE(short, Sum<short>);
ORACLE_COMPILED_ONCE(int, Sum<int>);
ORACLE_COMPILED_ONCE(unsigned, Sum<unsigned>);
ORACLE_COMPILED_ONCE(long long, Sum<long long>);
ORACLE_COMPILED_ONCE(float, Sum<float>);
ORACLE_COMPILED_ONCE(double, Sum<double>);

}  // namespace harness
