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

/// Write the first n elements of the input to `device`.
template <class T>
void fill(void* device, long long n, std::uint64_t seed) {
    fill_with(static_cast<T*>(device), n, [seed](long long i) { return Input<T>::at(seed, i); });
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

/// The first error, of one for each piece; "" if there is none.
std::string first_of(const std::vector<std::string>& errors);

/// Elements that a thread compares at a time. With the element before them they fill a chunk.
template <class T>
inline constexpr long long PIECE = Chunk<T>::SIZE - 1;

/// Compare elements [begin, end) of a scan or a copy. The prefix before them is taken from the result itself.
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

/// Compare a scan or a copy. The pieces are compared in parallel, each starting from the result's prefix just
/// before it, which the piece before compares. By induction from the first piece: if no piece finds an error,
/// each has started from a correct prefix, and the error in the lowest piece is the first error of the
/// result.
template <class T, class Op, Expected::Kind KIND>
std::string find_error_in(const Case& c, std::uint64_t seed, const void* result) {
    std::vector<std::string> errors((c.n + PIECE<T> - 1) / PIECE<T>);
    in_pieces(static_cast<long long>(errors.size()), [&] {
        return [&](long long piece) {
            const long long begin = piece * PIECE<T>, end = std::min(begin + PIECE<T>, c.n);
            errors[piece] = find_error_between<T, Op, KIND>(c, seed, result, begin, end);
        };
    });
    return first_of(errors);
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

/// The same for long ranges: pieces are reduced in parallel, then their totals in order.
template <class T, class Op>
Accumulator<T, Op> long_total_between(std::uint64_t seed, long long begin, long long end) {
    std::vector<Accumulator<T, Op>> totals((end - begin + PIECE<T> - 1) / PIECE<T>);
    in_pieces(static_cast<long long>(totals.size()), [&] {
        return [&](long long piece) {
            const long long from = begin + piece * PIECE<T>;
            totals[piece] = total_between<T, Op>(seed, from, std::min(from + PIECE<T>, end));
        };
    });
    const Accumulate<T, Op> op{};
    auto sum = op.identity();
    for (const auto& total : totals) sum = op(sum, total);
    return sum;
}

/// Compare a reduction: long segments one after the other, each in parallel; short ones in groups that fill a
/// piece.
template <class T, class Op>
std::string find_error_in_reduction(const Case& c, std::uint64_t seed, const void* result) {
    const long long length = c.expected.segment, segments = c.out_elements();
    const bool is_long = length > PIECE<T>;
    const long long group = is_long ? segments : PIECE<T> / length;
    std::vector<std::string> errors((segments + group - 1) / group);
    in_pieces(static_cast<long long>(errors.size()), [&] {
        return [&](long long piece) {
            const long long begin = piece * group, end = std::min(begin + group, segments);
            Reader<T> results(result, segments, c.vector, begin);
            std::string& error = errors[piece];
            for (long long s = begin; s < end && error.empty(); ++s) {
                const auto total_of = is_long ? long_total_between<T, Op> : total_between<T, Op>;
                const auto total = total_of(seed, s * length, std::min((s + 1) * length, c.n));
                error = difference(s, static_cast<T>(total), results[s]);
            }
        };
    });
    return first_of(errors);
}

/// The exclusive or of the 32-bit words of the input; the last word is padded with zeros.
template <class T>
std::uint32_t digest(long long n, std::uint64_t seed) {
    constexpr long long SIZE = Chunk<T>::SIZE, WORD = sizeof(std::uint32_t);
    std::vector<std::uint32_t> found((n + SIZE - 1) / SIZE);
    in_pieces(static_cast<long long>(found.size()), [&] {
        return [&, values = std::vector<T>(SIZE)](long long piece) mutable {
            const long long begin = piece * SIZE, count = std::min(SIZE, n - begin);
            for (long long i = 0; i < count; ++i) values[i] = Input<T>::at(seed, begin + i);
            const auto* const bytes = reinterpret_cast<const char*>(values.data());
            const long long size = count * static_cast<long long>(sizeof(T));
            std::uint32_t sum = 0;
            for (long long at = 0; at + WORD <= size; at += WORD) {
                std::uint32_t word;
                std::memcpy(&word, bytes + at, WORD);
                sum ^= word;
            }
            std::uint32_t rest = 0;
            std::memcpy(&rest, bytes + size / WORD * WORD, size % WORD);
            found[piece] = sum ^ rest;
        };
    });
    std::uint32_t of_all = 0;
    for (const std::uint32_t each : found) of_all ^= each;
    return of_all;
}

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
    return (found ^ poison) == digest<T>(c.n, seed) ? "" : "some byte was not read exactly once";
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
    switch (c.expected.kind) {
        case Expected::inclusive_scan: return find_error_in<T, Op, Expected::inclusive_scan>(c, seed, result);
        case Expected::exclusive_scan: return find_error_in<T, Op, Expected::exclusive_scan>(c, seed, result);
        case Expected::reduction: return find_error_in_reduction<T, Op>(c, seed, result);
        case Expected::copy: return find_error_in<T, Op, Expected::copy>(c, seed, result);
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
