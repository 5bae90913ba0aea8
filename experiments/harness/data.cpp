#include "experiments/harness/data.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "experiments/harness/cuda_check.h"

namespace harness {
namespace {

constexpr long long CHUNK = 1 << 20;  // elements; what is on its way between host and device at a time

/// Pinned memory for one chunk.
template <class T>
class Staging {
   public:
    Staging() { check(cudaMallocHost(&data_, CHUNK * sizeof(T)), "cudaMallocHost"); }
    ~Staging() { (void)cudaFreeHost(data_); }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    T* data() { return data_; }

   private:
    T* data_ = nullptr;
};

template <class T>
void fill_as(T* device, long long n, std::uint64_t seed) {
    Staging<T> chunk;
    for (long long begin = 0; begin < n; begin += CHUNK) {
        const long long count = std::min(CHUNK, n - begin);
        for (long long i = 0; i < count; ++i) chunk.data()[i] = static_cast<T>(input_value(seed, begin + i));
        check(cudaMemcpy(device + begin, chunk.data(), count * sizeof(T), cudaMemcpyHostToDevice),
              "cudaMemcpy");
    }
}

/// Reads a result from front to back, wherever it lies.
template <class T>
class Reader {
   public:
    Reader(const T* result, long long count, Memory memory)
        : result_(result), count_(count), memory_(memory) {}

    T operator[](long long index) {
        if (index == end_) load_next();
        return chunk_.data()[index - begin_];
    }

   private:
    void load_next() {
        begin_ = end_;
        end_ = std::min(begin_ + CHUNK, count_);
        const auto kind = memory_ == Memory::device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
        check(cudaMemcpy(chunk_.data(), result_ + begin_, (end_ - begin_) * sizeof(T), kind), "cudaMemcpy");
    }

    const T* result_;
    long long count_;
    Memory memory_;
    long long begin_ = 0, end_ = 0;
    Staging<T> chunk_;
};

template <class T>
std::string describe_error(long long index, long long expected, T got) {
    char text[128];
    std::snprintf(text, sizeof(text), "index %lld: expected %lld, got %.17g", index, expected, double(got));
    return text;
}

template <class T, Expected::Kind KIND>
std::string find_error_in(const Case& c, std::uint64_t seed, const T* result) {
    const long long segment = c.expected.segment;
    Reader<T> results(result, c.out_bytes() / static_cast<long long>(sizeof(T)), c.vector);
    long long sum = 0, left_in_segment = segment, next = 0;
    for (long long i = 0; i < c.n; ++i) {
        const long long before = sum;
        const long long value = input_value(seed, i);
        sum += value;
        const bool ends_segment = --left_in_segment == 0;

        if (KIND != Expected::reduction || ends_segment || i == c.n - 1) {
            const long long expected = KIND == Expected::copy             ? value
                                       : KIND == Expected::exclusive_scan ? before
                                                                          : sum;
            const T got = results[next];
            // Written so that NaN, which equals nothing, is an error.
            if (!(got == static_cast<T>(expected))) return describe_error(next, expected, got);
            ++next;
        }
        if (ends_segment) {
            sum = 0;
            left_in_segment = segment;
        }
    }
    return "";
}

/// Any byte that is not POISON any more was written.
template <class T>
std::string find_write(const Case& c, const T* result) {
    Reader<T> results(result, c.n, c.vector);
    T poison;
    std::memset(&poison, POISON, sizeof(T));
    for (long long i = 0; i < c.n; ++i) {
        const T got = results[i];
        if (std::memcmp(&got, &poison, sizeof(T)) != 0)
            return "index " + std::to_string(i) + ": written, although there is nothing to write";
    }
    return "";
}

template <class T>
std::string find_error_as(const Case& c, std::uint64_t seed, const void* result) {
    const T* values = static_cast<const T*>(result);
    switch (c.expected.kind) {
        case Expected::inclusive_scan: return find_error_in<T, Expected::inclusive_scan>(c, seed, values);
        case Expected::exclusive_scan: return find_error_in<T, Expected::exclusive_scan>(c, seed, values);
        case Expected::reduction: return find_error_in<T, Expected::reduction>(c, seed, values);
        case Expected::copy: return find_error_in<T, Expected::copy>(c, seed, values);
        case Expected::nothing: return find_write<T>(c, values);
    }
    return "unknown kind of result";
}

}  // namespace

void fill(Element element, void* device, long long n, std::uint64_t seed) {
    switch (element) {
        case Element::int32: return fill_as(static_cast<int*>(device), n, seed);
        case Element::float32: return fill_as(static_cast<float*>(device), n, seed);
        case Element::float64: return fill_as(static_cast<double*>(device), n, seed);
    }
}

std::string find_error(const Case& c, std::uint64_t seed, const void* result) {
    switch (c.element) {
        case Element::int32: return find_error_as<int>(c, seed, result);
        case Element::float32: return find_error_as<float>(c, seed, result);
        case Element::float64: return find_error_as<double>(c, seed, result);
    }
    return "unknown element type";
}

}  // namespace harness
