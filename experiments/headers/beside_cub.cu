// Every call of kernels/fast beside the toolkit's CUB and a copy of the vector, in one process, as CSV:
// beside_cub [<log2 of the longest vector> [<part of a call's name>]]
//
//     name,type,n,state,ours_us,cub_us,copy_us
//
// Medians of GPU time between two events around a call; the host has queued all repetitions ahead. cold:
// the L2 cache is overwritten before each. CUB's temporary storage and our workspace are allocated in
// advance. Where CUB has no such call, cub_us is empty. Outputs of both are compared; a difference ends the
// program with 1.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kernels/fast/all.cuh"
#include "kernels/predicates.cuh"

namespace {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "beside_cub: %s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
}

/// Device memory.
template <class T>
class Array {
   public:
    explicit Array(long long n) { check(cudaMalloc(&data_, n * sizeof(T)), "memory"); }
    ~Array() { (void)cudaFree(data_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    T* data() const { return data_; }

   private:
    T* data_ = nullptr;
};

__host__ __device__ unsigned hash(unsigned long long i) {
    i = (i ^ i >> 31) * 0x7fb5d329728ea185ull;
    i = (i ^ i >> 27) * 0x81dadef4bc2dd44dull;
    return static_cast<unsigned>(i ^ i >> 33);
}
/// -1, 0 or 1: sums stay exact in floats.
template <class T>
struct Generate {
    __host__ __device__ T operator()(long long i) const {
        return static_cast<T>(static_cast<int>(hash(i) % 3) - 1);
    }
};

/// Of element i, column by column, of a matrix: its column, and where it lies.
struct Column {
    int rows;
    __host__ __device__ int operator()(int i) const { return i / rows; }
};
struct PlaceByColumns {
    int rows, columns;
    __host__ __device__ int operator()(int i) const { return i % rows * columns + i / rows; }
};

/// A sum that does not say IS_TOTAL: it is given elements that follow one another, and no others.
template <class T>
struct NeighboursOnly {
    __host__ __device__ T operator()(const T& a, const T& b) const { return a + b; }
};

constexpr int RUN = 32;  ///< mean length of a run of keys

template <class T>
__global__ void fill(T* elements, int* keys, char* flags, long long n) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        elements[i] = Generate<T>{}(i);
        keys[i] = static_cast<int>((i + hash(i / RUN + 1) % RUN) / RUN);
        flags[i] = static_cast<char>(hash(i + n) & 1);
    }
}
__global__ void fill_offsets(int* offsets, long long segments, long long n, int length) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long s = 1LL * blockIdx.x * blockDim.x + threadIdx.x; s <= segments; s += stride)
        offsets[s] = static_cast<int>(s == segments ? n : s == 0 ? 0 : s * length - hash(s) % length);
}
__global__ void count_differences(const char* a, const char* b, long long bytes, unsigned long long* differ) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += stride)
        if (a[i] != b[i]) atomicAdd(differ, 1ull);
}
__global__ void delay(long long cycles) {
    const long long end = clock64() + cycles;
    while (clock64() < end) {
    }
}

class Clock {
   public:
    Clock() : flush_(FLUSH) {
        for (auto& event : events_) check(cudaEventCreate(&event), "event");
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    }
    /// Median microseconds of a call.
    double median(const std::function<void()>& call, bool cold) {
        call();  // loads the kernels
        check(cudaStreamSynchronize(stream), "call");
        delay<<<1, 1, 0, stream>>>(20'000'000);  // about 10 ms, in which the host queues the rest
        for (int k = 0; k < REPETITIONS; ++k) {
            if (cold) check(cudaMemsetAsync(flush_.data(), k, FLUSH, stream), "flush");
            check(cudaEventRecord(events_[2 * k], stream), "event");
            call();
            check(cudaEventRecord(events_[2 * k + 1], stream), "event");
        }
        check(cudaStreamSynchronize(stream), "calls");
        std::vector<float> times(REPETITIONS);
        for (int k = 0; k < REPETITIONS; ++k)
            check(cudaEventElapsedTime(&times[k], events_[2 * k], events_[2 * k + 1]), "time");
        std::nth_element(times.begin(), times.begin() + REPETITIONS / 2, times.end());
        return 1000.0 * times[REPETITIONS / 2];
    }
    cudaStream_t stream = nullptr;

   private:
    static constexpr int REPETITIONS = 21;
    static constexpr long long FLUSH = 256LL << 20;
    cudaEvent_t events_[2 * REPETITIONS];
    Array<char> flush_;
};

template <class T>
class Calls {
    static auto generate() {
        return thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), Generate<T>{});
    }

   public:
    Calls(Clock& clock, const char* type, long long n, const std::string& only)
        : clock_(clock),
          type_(type),
          only_(only),
          n(n),
          in_(n),
          out_(n),
          expected_(n),
          keys_(n),
          keys_out_(n),
          keys_expected_(n),
          lengths_(n),
          lengths_expected_(n),
          flags_(n),
          number_(1),
          number_expected_(1),
          one_(1),
          offsets_(n + 1),
          differ_(1),
          workspace_(trial::bytes_needed<long long>(n), clock.stream) {
        check(workspace_.status(), "workspace");
        fill<<<1024, 256, 0, clock.stream>>>(in_.data(), keys_.data(), flags_.data(), n);
        copy_[0] = copy_[1] = 0;
        for (const bool cold : {false, true})
            copy_[cold] = clock.median(
                [&] {
                    check(cudaMemcpyAsync(out_.data(), in_.data(), n * sizeof(T), cudaMemcpyDeviceToDevice,
                                          clock_.stream),
                          "copy");
                },
                cold);
    }

    void time_all() {
        time_scans();
        time_scans_of_columns();
        time_scans_by_key();
        time_reductions();
        time_extremes();
        time_by_key();
        time_segments();
        time_selections();
        time_unique();
        time_partitions();
    }

   private:
    template <class In, class Op>
    void time_scan(const char* name, In from, Op op) {
        compare(
            name, [=](auto& m) { return trial::inclusive_scan(m, from, out, n, op, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceScan::InclusiveScan(s, b, from, expected, op, n, stream);
            },
            {{out, expected, sizeof(T)}}, elements());
    }
    template <class Op>
    void time_scan_by_key(const char* name, Op op) {
        compare(
            name, [=](auto& m) { return trial::inclusive_scan_by_key(m, keys, in, out, n, op, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceScan::InclusiveScanByKey(s, b, keys, in, expected, op, n,
                                                           ::cuda::std::equal_to<>{}, stream);
            },
            {{out, expected, sizeof(T)}}, elements());
    }
    template <class Op>
    void time_reduction_by_key(const char* name, Op op) {
        compare(
            name,
            [=](auto& m) { return trial::reduce_by_key(m, keys, in, keys_out, out, number, n, op, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceReduce::ReduceByKey(s, b, keys, keys_expected, in, expected,
                                                      number_expected, op, n, stream);
            },
            {{out, expected, sizeof(T)}, {keys_out, keys_expected, 4}}, counted());
    }

    void time_scans() {
        time_scan("inclusive_scan", in, plus);
        time_scan("inclusive_scan/operator:other", in, other);
        compare(
            "exclusive_scan",
            [=](auto& m) { return trial::exclusive_scan(m, in, out, n, plus, T(1), stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceScan::ExclusiveScan(s, b, in, expected, plus, T(1), n, stream);
            },
            {{out, expected, sizeof(T)}}, elements());
        time_scan("inclusive_scan_of_iterator", generated, plus);
    }

    /// CUB has no scan of elements that lie apart. What one call of it can do: a scan by key, the column, of
    /// the elements column by column, which iterators read and write where they lie.
    void time_scans_of_columns() {
        for (const int columns : {2, 32, 1024}) {
            const long long rows = n / columns;
            const auto from_0 = thrust::counting_iterator<int>(0);
            const auto column = thrust::make_transform_iterator(from_0, Column{static_cast<int>(rows)});
            const auto place =
                thrust::make_transform_iterator(from_0, PlaceByColumns{static_cast<int>(rows), columns});
            const auto by_columns = thrust::make_permutation_iterator(in, place);
            const auto to = thrust::make_permutation_iterator(expected, place);
            compare(
                "inclusive_scan_columns/columns:" + std::to_string(columns),
                [=](auto& m) {
                    return trial::inclusive_scan_columns(m, in, out, rows, columns, plus, stream);
                },
                [=](void* s, std::size_t& b) {
                    return cub::DeviceScan::InclusiveScanByKey(s, b, column, by_columns, to, plus, n,
                                                               ::cuda::std::equal_to<>{}, stream);
                },
                {{out, expected, sizeof(T)}}, elements());
        }
    }

    void time_scans_by_key() {
        time_scan_by_key("inclusive_scan_by_key", plus);
        time_scan_by_key("inclusive_scan_by_key/operator:other", other);
        compare(
            "exclusive_scan_by_key",
            [=](auto& m) { return trial::exclusive_scan_by_key(m, keys, in, out, n, plus, T(1), stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceScan::ExclusiveScanByKey(s, b, keys, in, expected, plus, T(1), n,
                                                           ::cuda::std::equal_to<>{}, stream);
            },
            {{out, expected, sizeof(T)}}, elements());
    }

    void time_reductions() {
        compare(
            "reduce", [=](auto& m) { return trial::reduce(m, in, out, n, plus, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceReduce::Reduce(s, b, in, expected, n, plus, T(0), stream);
            },
            {{out, expected, sizeof(T)}}, one());
        compare(
            "reduce_of_iterator", [=](auto& m) { return trial::reduce(m, generated, out, n, plus, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceReduce::Reduce(s, b, generated, expected, n, plus, T(0), stream);
            },
            {{out, expected, sizeof(T)}}, one());
    }

    void time_extremes() {
        compare(
            "arg_min", [=](auto& m) { return trial::arg_min(m, in, least, n, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceReduce::ArgMin(s, b, in, expected, number_expected, n, stream);
            },
            {}, one());
        compare(
            "min_max",
            [=](auto& m) {
                return trial::min_max(m, in, reinterpret_cast<trial::Extremes<T>*>(least), n, stream);
            },
            nullptr, {}, one());
    }

    void time_by_key() {
        time_reduction_by_key("reduce_by_key", plus);
        time_reduction_by_key("reduce_by_key/operator:other", other);
        compare(
            "run_length_encode",
            [=](auto& m) { return trial::run_length_encode(m, keys, keys_out, lengths, number, n, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceRunLengthEncode::Encode(s, b, keys, keys_expected, lengths_expected,
                                                          number_expected, n, stream);
            },
            {{lengths, lengths_expected, 8}, {keys_out, keys_expected, 4}}, counted());
    }

    void time_segments() {
        for (const int length : {10, 1000, 10'000, 1'000'000}) {
            const long long segments = (n + length - 1) / length;
            fill_offsets<<<512, 256, 0, stream>>>(offsets, segments, n, length);
            const std::string of = "/mean:" + std::to_string(length);
            compare(
                "segmented_reduce" + of,
                [=](auto& m) {
                    return trial::segmented_reduce(m, in, out, n, offsets, segments, plus, stream);
                },
                [=](void* s, std::size_t& b) {
                    return cub::DeviceSegmentedReduce::Reduce(s, b, in, expected, segments, offsets,
                                                              offsets + 1, plus, T(0), stream);
                },
                {{out, expected, sizeof(T)}}, [=] { return segments; });
            compare(
                "segmented_inclusive_scan" + of,
                [=](auto& m) {
                    return trial::segmented_inclusive_scan(m, in, out, n, offsets, segments, plus, stream);
                },
                nullptr, {}, elements());
        }
    }

    void time_selections() {
        compare(
            "select_if", [=](auto& m) { return trial::select_if(m, in, out, number, n, keep, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceSelect::If(s, b, in, expected, number_expected, n, keep, stream);
            },
            {{out, expected, sizeof(T)}}, counted());
        compare(
            "select_if_of_iterator",
            [=](auto& m) { return trial::select_if(m, generated, out, number, n, keep, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceSelect::If(s, b, generated, expected, number_expected, n, keep, stream);
            },
            {{out, expected, sizeof(T)}}, counted());
        compare(
            "select_flagged",
            [=](auto& m) { return trial::select_flagged(m, in, flags, out, number, n, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceSelect::Flagged(s, b, in, flags, expected, number_expected, n, stream);
            },
            {{out, expected, sizeof(T)}}, counted());
    }

    void time_unique() {
        compare(
            "unique", [=](auto& m) { return trial::unique(m, in, out, number, n, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceSelect::Unique(s, b, in, expected, number_expected, n, stream);
            },
            {{out, expected, sizeof(T)}}, counted());
        compare(
            "unique_by_key",
            [=](auto& m) { return trial::unique_by_key(m, keys, in, keys_out, out, number, n, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DeviceSelect::UniqueByKey(s, b, keys, in, keys_expected, expected,
                                                      number_expected, n, stream);
            },
            {{out, expected, sizeof(T)}, {keys_out, keys_expected, 4}}, counted());
    }

    void time_partitions() {
        compare(
            "partition_if", [=](auto& m) { return trial::partition_if(m, in, out, number, n, keep, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DevicePartition::If(s, b, in, expected, number_expected, n, keep, stream);
            },
            {{out, expected, sizeof(T)}}, elements());
        compare(
            "partition_flagged",
            [=](auto& m) { return trial::partition_flagged(m, in, flags, out, number, n, stream); },
            [=](void* s, std::size_t& b) {
                return cub::DevicePartition::Flagged(s, b, in, flags, expected, number_expected, n, stream);
            },
            {{out, expected, sizeof(T)}}, elements());
    }

    // How many elements of a result are compared.
    auto elements() {
        return [this] { return n; };
    }
    auto counted() {
        return [this] { return host(number); };
    }
    static auto one() {
        return [] { return 1LL; };
    }

    struct Pair {
        const void* ours;
        const void* cub;
        long long bytes;  ///< of an element
    };

    long long host(const long long* from) {
        long long value = 0;
        check(cudaMemcpyAsync(&value, from, sizeof(value), cudaMemcpyDeviceToHost, clock_.stream), "number");
        check(cudaStreamSynchronize(clock_.stream), "number");
        return value;
    }

    /// theirs: CUB's call, or nullptr. outputs: of as many elements as count() tells.
    template <class Ours, class Theirs, class Count>
    void compare(const std::string& name, Ours ours, Theirs theirs, const std::vector<Pair>& outputs,
                 Count count) {
        if (name.find(only_) == std::string::npos) return;
        const trial::Memory memory = workspace_;
        const std::function<void()> by_ours = [&] { check(ours(memory), name.c_str()); };
        std::function<void()> by_cub;
        void* storage = nullptr;
        std::size_t bytes = 0;
        if constexpr (!std::is_same_v<Theirs, std::nullptr_t>) {
            check(theirs(nullptr, bytes), "CUB's bytes");
            check(cudaMalloc(&storage, bytes + 1), "CUB's storage");
            by_cub = [&] { check(theirs(storage, bytes), "CUB"); };
        }
        for (const bool cold : {false, true}) {
            const double ours_us = clock_.median(by_ours, cold);
            std::string cub_us;
            if (by_cub) cub_us = std::to_string(clock_.median(by_cub, cold));
            std::printf("%s,%s,%lld,%s,%.3f,%s,%.3f\n", name.c_str(), type_, n, cold ? "cold" : "warm",
                        ours_us, cub_us.c_str(), copy_[cold]);
            std::fflush(stdout);
        }
        (void)cudaFree(storage);
        check(workspace_.status(), "workspace after calls");
        for (const Pair& each : outputs) {
            check(cudaMemsetAsync(differ_.data(), 0, sizeof(unsigned long long), clock_.stream), "memset");
            count_differences<<<1024, 256, 0, clock_.stream>>>(static_cast<const char*>(each.ours),
                                                               static_cast<const char*>(each.cub),
                                                               count() * each.bytes, differ_.data());
            const long long differ = host(reinterpret_cast<long long*>(differ_.data()));
            if (differ == 0) continue;
            std::fprintf(stderr, "beside_cub: %s %s %lld: %lld bytes differ from CUB's\n", name.c_str(),
                         type_, n, differ);
            wrong = true;
        }
    }

    Clock& clock_;
    const char* type_;
    std::string only_;
    const long long n;
    Array<T> in_, out_, expected_;
    Array<int> keys_, keys_out_, keys_expected_;
    Array<long long> lengths_, lengths_expected_;
    Array<char> flags_;
    Array<long long> number_, number_expected_;
    Array<trial::Indexed<T>> one_;
    Array<int> offsets_;
    Array<unsigned long long> differ_;
    trial::Workspace workspace_;

    // What the calls take; `expected`: CUB's results.
    const cudaStream_t stream = clock_.stream;
    const trial::Sum<T> plus = {};
    const NeighboursOnly<T> other = {};
    const trial::Below<T> keep = {T(0)};  ///< a third
    const decltype(generate()) generated = generate();
    const T* const in = in_.data();
    T* const out = out_.data();
    T* const expected = expected_.data();
    const int* const keys = keys_.data();
    int* const keys_out = keys_out_.data();
    int* const keys_expected = keys_expected_.data();
    long long* const lengths = lengths_.data();
    long long* const lengths_expected = lengths_expected_.data();
    const char* const flags = flags_.data();
    long long* const number = number_.data();
    long long* const number_expected = number_expected_.data();
    trial::Indexed<T>* const least = one_.data();
    int* const offsets = offsets_.data();
    double copy_[2];

   public:
    bool wrong = false;
};

template <class T>
bool time_type(Clock& clock, const char* type, int longest, const std::string& only) {
    bool right = true;
    for (const int log : {12, 16, 20, 24, 28}) {
        if (log > longest) break;
        Calls<T> calls(clock, type, 1LL << log, only);
        calls.time_all();
        right = right && !calls.wrong;
    }
    return right;
}

}  // namespace

int main(int argc, char** argv) {
    const int longest = argc > 1 ? std::atoi(argv[1]) : 28;
    const std::string only = argc > 2 ? argv[2] : "";
    if (longest < 12 || longest > 28) {
        std::fprintf(
            stderr, "usage: beside_cub [<log2 of the longest vector, 12 .. 28> [<part of a call's name>]]\n");
        return 2;
    }
    Clock clock;
    std::printf("name,type,n,state,ours_us,cub_us,copy_us\n");
    bool right = true;
#if !defined(BESIDE_CUB_ONLY) || BESIDE_CUB_ONLY == 32
    right = time_type<int>(clock, "int32", longest, only) && right;
#endif
#if !defined(BESIDE_CUB_ONLY) || BESIDE_CUB_ONLY == 1
    right = time_type<float>(clock, "float", longest, only) && right;
#endif
#if !defined(BESIDE_CUB_ONLY) || BESIDE_CUB_ONLY == 64
    right = time_type<long long>(clock, "int64", longest, only) && right;
#endif
    return right ? 0 : 1;
}
