// The oracle: every case is compared with the result that the host computes, one element after the other.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "experiments/harness/case.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/input.h"
#include "kernels/operators.cuh"

namespace harness {

/// The byte that outputs are filled with before a check: far from any sum of the input.
inline constexpr int POISON = 0x7f;

/// A pinned buffer for elements on their way between host and device. Pinning is slow, so released buffers
/// are reused.
template <class T>
class Chunk {
   public:
    static constexpr long long SIZE = 1 << 20;

    Chunk() {
        const std::lock_guard<std::mutex> lock(pool().mutex);
        std::vector<T*>& chunks = pool().chunks;
        if (chunks.empty()) {
            check(cudaMallocHost(&data_, SIZE * sizeof(T)), "cudaMallocHost");
        } else {
            data_ = chunks.back();
            chunks.pop_back();
        }
    }
    ~Chunk() {
        const std::lock_guard<std::mutex> lock(pool().mutex);
        pool().chunks.push_back(data_);
    }
    Chunk(const Chunk&) = delete;
    Chunk& operator=(const Chunk&) = delete;
    T* data() { return data_; }

   private:
    struct Pool {
        std::mutex mutex;
        std::vector<T*> chunks;
    };
    static Pool& pool() {
        static Pool pool;
        return pool;
    }

    T* data_ = nullptr;
};

/// Set element i of the device vector to at(i). Several threads call at() concurrently.
template <class T, class At>
void fill_with(T* device, long long n, At at) {
    constexpr long long SIZE = Chunk<T>::SIZE;
    in_pieces((n + SIZE - 1) / SIZE, [=] {
        return [=, chunk = std::make_unique<Chunk<T>>()](long long piece) {
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

/// The error in the lowest piece, of all errors that the threads find.
class FirstError {
   public:
    void add(long long piece, const std::string& error) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (error.empty() || (!error_.empty() && piece > piece_)) return;
        piece_ = piece;
        error_ = error;
    }
    const std::string& text() const { return error_; }

   private:
    std::mutex mutex_;
    long long piece_ = 0;
    std::string error_;
};

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
    FirstError first;
    in_pieces((c.n + PIECE<T> - 1) / PIECE<T>, [&] {
        return [&](long long piece) {
            const long long begin = piece * PIECE<T>, end = std::min(begin + PIECE<T>, c.n);
            first.add(piece, find_error_between<T, Op, KIND>(c, seed, result, begin, end));
        };
    });
    return first.text();
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
    FirstError first;
    in_pieces((segments + group - 1) / group, [&] {
        return [&](long long piece) {
            const long long begin = piece * group, end = std::min(begin + group, segments);
            Reader<T> results(result, segments, c.vector, begin);
            for (long long s = begin; s < end; ++s) {
                const auto total_of = is_long ? long_total_between<T, Op> : total_between<T, Op>;
                const auto total = total_of(seed, s * length, std::min((s + 1) * length, c.n));
                const std::string error = difference(s, static_cast<T>(total), results[s]);
                if (!error.empty()) return first.add(piece, error);
            }
        };
    });
    return first.text();
}

/// The exclusive or of the 32-bit words of the input; the last word is padded with zeros.
template <class T>
std::uint32_t digest(long long n, std::uint64_t seed) {
    constexpr long long SIZE = Chunk<T>::SIZE, WORD = sizeof(std::uint32_t);
    std::atomic<std::uint32_t> found{0};
    in_pieces((n + SIZE - 1) / SIZE, [&] {
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
            found ^= sum ^ rest;
        };
    });
    return found;
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

// Compiled once, in oracle.cpp.
extern template void fill<float>(void*, long long, std::uint64_t);
extern template void fill<double>(void*, long long, std::uint64_t);
extern template void fill<int>(void*, long long, std::uint64_t);
extern template std::string find_error<float, Sum<float>>(const Case&, std::uint64_t, const void*);
extern template std::string find_error<double, Sum<double>>(const Case&, std::uint64_t, const void*);
extern template std::string find_error<int, Sum<int>>(const Case&, std::uint64_t, const void*);

// Host threads, for loops over all elements of a long vector.

/// Call work(i) once for every i from 0 to pieces - 1, on one thread per core; a single piece runs on the
/// calling thread. Each thread calls make() once for its own `work`, so buffers are allocated once per
/// thread. If any of them throws, rethrows one of the exceptions after all threads have ended.
template <class Make>
void in_pieces(long long pieces, Make make) {
    std::atomic<long long> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&] {
        try {
            auto work = make();
            for (long long i = next++; i < pieces; i = next++) work(i);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(failing);
            failure = std::current_exception();
            next = pieces;
        }
    };
    const long long cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> others(std::max(0LL, std::min(cores, pieces) - 1));
    for (std::thread& other : others) other = std::thread(run);
    run();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace harness
