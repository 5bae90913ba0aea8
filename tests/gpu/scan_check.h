// Checks a scan of fast/scan. On the GPU, it compares every element with textbook/device/scan_look_back, and
// checks the memory around the result.
#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "kernels/fast/scan.cuh"
#include "tests/device_vector.h"
#include "tests/kernels/bytes.h"
#include "tests/kernels/elements.h"

inline constexpr unsigned char POISON = 0x7f;
inline constexpr unsigned long long NOWHERE = ~0ull;

/// sums: the inclusive scan of the seed, if `seeded`, and n elements. first: the first index that differs.
template <class Op, class T>
__global__ void find_difference(const T* out, const T* sums, long long n, bool inclusive, bool seeded,
                                unsigned long long* first) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const long long place = i + (seeded ? 1 : 0) - (inclusive ? 0 : 1);
        const T expected = place < 0 ? Op::identity() : sums[place];
        if (!same(out[i], expected)) atomicMin(first, static_cast<unsigned long long>(i));
    }
}

/// Set *first to 0 if any of `bytes` bytes is not POISON.
__global__ void find_written(const unsigned char* memory, int bytes, unsigned long long* first) {
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) {
        if (memory[i] != POISON) atomicMin(first, 0ull);
    }
}

/// Whether a stream's work ends in time, whatever other streams do.
inline bool ends_within(int seconds, cudaStream_t stream) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::yield();
    }
    return true;
}

/// The scan to run. Offsets of the vectors from a multiple of 256 bytes, in elements.
struct Asked {
    long long n;
    bool inclusive, seeded, in_place;
    int in_offset, out_offset;

    friend std::ostream& operator<<(std::ostream& to, const Asked& a) {
        return to << "n " << a.n << (a.inclusive ? " inclusive" : " exclusive") << (a.seeded ? " seeded" : "")
                  << (a.in_place ? " in place" : "") << " at " << a.in_offset << ", " << a.out_offset;
    }
};

template <class T, class Op>
class ScanCheck {
   public:
    static constexpr int AROUND = 256;  ///< elements on either side of the result

    /// Vectors of up to `most` elements; the elements repeat after a million, which no tile divides.
    explicit ScanCheck(long long most)
        : most_(most),
          in_(most + AROUND),
          out_(most + 2 * AROUND),
          sums_(most + 1),
          first_(1),
          look_back_(most + 1),
          workspace_(scan_bytes<T>(most)) {
        std::mt19937 random(7);
        std::vector<T> values(std::min<long long>(most + AROUND, 1'000'003));
        for (T& value : values) value = Maker<T>::make(random);
        seed_ = values[values.size() / 2];
        for (long long begin = 0; begin < most + AROUND; begin += values.size()) {
            const std::size_t count = std::min<long long>(values.size(), most + AROUND - begin);
            EXPECT_EQ(
                cudaMemcpy(in_.data() + begin, values.data(), count * sizeof(T), cudaMemcpyHostToDevice),
                cudaSuccess);
        }
        EXPECT_EQ(workspace_.status(), cudaSuccess);
        EXPECT_EQ(look_back_.status(), cudaSuccess);
    }

    /// Run the scan with the algorithm that fast/scan chooses.
    void expect(const Asked& asked) {
        expect(asked, [](const auto&... arguments) { return run(arguments...); });
    }
    /// With the ring, whatever the length.
    void expect_ring(const Asked& asked) {
        expect(asked, [](const Workspace& workspace, const ScanProblem<T>& problem, bool inclusive) {
            return inclusive
                       ? scan_detail::ring<RingPolicy<T>, Form::inclusive>(workspace, problem, Op{}, nullptr)
                       : scan_detail::ring<RingPolicy<T>, Form::exclusive>(workspace, problem, Op{}, nullptr);
        });
    }

    /// With an optional seed in device memory, by the algorithm that fast/scan chooses or by the ring.
    void expect_seed_at(const Asked& asked, bool by_ring) {
        DeviceVector<Prefix<T>> seed(1);
        expect(asked, [&](const Workspace& workspace, const ScanProblem<T>& p, bool inclusive) {
            EXPECT_EQ(cudaMemcpy(seed.data(), &p.seed, sizeof(p.seed), cudaMemcpyHostToDevice), cudaSuccess);
            const ScanProblem<T> problem = {p.in, p.out, p.n, {{}, false}, seed.data()};
            const auto run = [&](auto form) {
                constexpr Form FORM = decltype(form)::value;
                return by_ring ? scan_detail::ring<RingPolicy<T>, FORM>(workspace, problem, Op{}, nullptr)
                               : scan_detail::scan<FORM>(workspace, problem, Op{}, nullptr);
            };
            return inclusive ? run(std::integral_constant<Form, Form::inclusive>{})
                             : run(std::integral_constant<Form, Form::exclusive>{});
        });
    }

    /// way(workspace, problem, inclusive) -> CallResult
    template <class Way>
    void expect(const Asked& asked, Way way) {
        ASSERT_LE(asked.n, most_);
        const std::size_t bytes = asked.n * sizeof(T);
        const T* from = in_.data() + asked.in_offset;
        T* const out = out_.data() + AROUND + asked.out_offset;
        T* const sums = sums_.data() + (asked.seeded ? 1 : 0);
        (void)cudaMemcpy(sums_.data(), &seed_, sizeof(T), cudaMemcpyHostToDevice);
        (void)cudaMemcpyAsync(sums, from, bytes, cudaMemcpyDeviceToDevice);
        look_back_(sums_.data(), sums_.data(), asked.n + (asked.seeded ? 1 : 0), Op{}, nullptr);
        (void)cudaMemsetAsync(out_.data(), POISON, (asked.n + 2 * AROUND) * sizeof(T));
        if (asked.in_place) {
            (void)cudaMemcpyAsync(out, from, bytes, cudaMemcpyDeviceToDevice);
            from = out;
        }
        (void)cudaMemsetAsync(first_.data(), 0xff, sizeof(unsigned long long));

        const ScanProblem<T> problem = {from, out, asked.n, {seed_, asked.seeded}};
        ASSERT_EQ(way(workspace_, problem, asked.inclusive), CallResult::success) << asked;
        const int before = (AROUND + asked.out_offset) * sizeof(T), behind = 2 * AROUND * sizeof(T) - before;
        const auto* const memory = reinterpret_cast<const unsigned char*>(out_.data());
        find_difference<Op>
            <<<1024, 256>>>(out, sums_.data(), asked.n, asked.inclusive, asked.seeded, first_.data());
        find_written<<<1, 256>>>(memory, before, first_.data());
        find_written<<<1, 256>>>(memory + before + bytes, behind, first_.data());
        ASSERT_TRUE(ends_within(60, nullptr)) << asked;
        unsigned long long first = 0;
        ASSERT_EQ(cudaMemcpy(&first, first_.data(), sizeof(first), cudaMemcpyDeviceToHost), cudaSuccess)
            << asked;
        ASSERT_EQ(first, NOWHERE) << asked;
    }

    static CallResult run(const Workspace& workspace, const ScanProblem<T>& p, bool inclusive) {
        const Op op = {};
        if (inclusive && p.seed.exists)
            return inclusive_scan(workspace, p.in, p.out, p.n, op, p.seed.value, nullptr);
        if (inclusive) return inclusive_scan(workspace, p.in, p.out, p.n, op, nullptr);
        if (p.seed.exists) return exclusive_scan(workspace, p.in, p.out, p.n, op, p.seed.value, nullptr);
        return exclusive_scan(workspace, p.in, p.out, p.n, op, nullptr);
    }

    T* in() { return in_.data(); }
    T* out() { return out_.data(); }
    const Workspace& workspace() const { return workspace_; }

   private:
    long long most_;
    DeviceVector<T> in_, out_, sums_;
    DeviceVector<unsigned long long> first_;
    T seed_;
    LookBackScan<T, Op> look_back_;
    Workspace workspace_;
};
