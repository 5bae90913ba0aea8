// The compaction of fast/compact: every element size, length, address and selected fraction, in consecutive
// calls and in graphs.
#include "kernels/fast/compact.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

#include "experiments/harness/graph.h"
#include "tests/device_vector.h"
#include "tests/kernels/bytes.h"
#include "tests/kernels/select_fraction.h"

namespace {

constexpr unsigned char POISON = 0x7f;
constexpr long long AROUND = 256;  ///< elements on either side of the result
constexpr SelectFraction NONE = {0, 1}, ALL = {1, 1}, HALF = {1, 2}, RARE = {1, 1000}, MOST = {999, 1000};

/// Compactions of prefixes of one random vector, compared with the host's result.
template <class T, class Policy = CompactRingPolicy<T>>
class CompactionCheck {
   public:
    explicit CompactionCheck(long long most)
        : compaction_(most), values_(most + AROUND), in_(most + AROUND), out_(most + 2 * AROUND), number_(1) {
        std::mt19937 random(7);
        for (T& value : values_) value = Maker<T>::make(random);
        EXPECT_EQ(compaction_.status(), cudaSuccess);
        EXPECT_EQ(cudaMemcpy(in_.data(), values_.data(), values_.size() * sizeof(T), cudaMemcpyHostToDevice),
                  cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }

    /// Offsets of the vectors from a multiple of 256 bytes, in elements.
    void expect(long long n, SelectFraction keep, int in_offset = 0, int out_offset = 0) {
        expect(n, keep, in_offset, out_offset, [&] { call(n, keep, in_offset, out_offset, nullptr); });
    }
    /// run() performs the compaction, once or several times.
    template <class Run>
    void expect(long long n, SelectFraction keep, int in_offset, int out_offset, Run run) {
        SCOPED_TRACE(testing::Message()
                     << "n " << n << ", " << keep << ", at " << in_offset << ", " << out_offset);
        std::vector<T> expected;
        const auto first = values_.begin() + in_offset;
        std::copy_if(first, first + n, std::back_inserter(expected), keep);
        ASSERT_EQ(cudaMemset(out_.data(), POISON, (n + 2 * AROUND) * sizeof(T)), cudaSuccess);
        ASSERT_EQ(cudaMemset(number_.data(), POISON, sizeof(long long)), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);

        run();
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        ASSERT_EQ(number_.read()[0], static_cast<long long>(expected.size()));
        std::vector<unsigned char> found((n + 2 * AROUND) * sizeof(T));
        ASSERT_EQ(cudaMemcpy(found.data(), out_.data(), found.size(), cudaMemcpyDeviceToHost), cudaSuccess);
        const std::size_t begin = (AROUND + out_offset) * sizeof(T),
                          end = begin + expected.size() * sizeof(T);
        ASSERT_TRUE(are_poison(found.begin(), found.begin() + begin)) << "written before the first";
        ASSERT_TRUE(are_poison(found.begin() + end, found.end())) << "written after the last";
        const auto* const bytes = reinterpret_cast<const unsigned char*>(expected.data());
        const auto differs = std::mismatch(bytes, bytes + (end - begin), found.begin() + begin).first;
        ASSERT_EQ(differs - bytes, static_cast<long long>(end - begin)) << "first byte that differs";
    }

    void call(long long n, SelectFraction keep, int in_offset, int out_offset, cudaStream_t stream) {
        compaction_(in_.data() + in_offset, out_.data() + AROUND + out_offset, number_.data(), n, keep,
                    stream);
    }

   private:
    template <class Iterator>
    static bool are_poison(Iterator begin, Iterator end) {
        return std::all_of(begin, end, [](unsigned char byte) { return byte == POISON; });
    }

    FastCompaction<T, SelectFraction, Policy> compaction_;
    std::vector<T> values_;
    DeviceVector<T> in_, out_;
    DeviceVector<long long> number_;
};

/// 1 to 16 bytes; some sizes do not divide 16, and some elements may straddle words of 16 bytes.
template <class T>
class CompactionOf : public testing::Test {
   protected:
    static constexpr long long TILE = CompactRingPolicy<T>::SMALLEST_TILE;
};
using Elements = testing::Types<std::int8_t, std::int16_t, int, std::int64_t, double, Affine<unsigned>,
                                Affine<unsigned long long>, Row, Bytes<2>, Bytes<3>, Bytes<13>, Bytes<16>>;
TYPED_TEST_SUITE(CompactionOf, Elements, );

TYPED_TEST(CompactionOf, Lengths) {
    constexpr long long TILE = TestFixture::TILE;
    CompactionCheck<TypeParam> check(266 * TILE);
    for (const SelectFraction keep : {HALF, NONE, ALL, RARE, MOST}) {
        for (const long long n : {0LL, 1LL, 2LL, 31LL, 33LL, 1000LL, TILE - 1, TILE, TILE + 1, 7 * TILE,
                                  132 * TILE + 1, 266 * TILE - 5}) {
            check.expect(n, keep, n % 3, n % 5);
            if (this->HasFatalFailure()) return;
        }
    }
}

TYPED_TEST(CompactionOf, Addresses) {
    constexpr long long MANY = 20 * TestFixture::TILE + 77;
    CompactionCheck<TypeParam> check(MANY);
    for (const long long n : {0LL, 3LL, 50LL, MANY}) {
        for (int in = 0; in < 17; in += in < 4 ? 1 : 5) {
            for (int out = 0; out < 16; out += out < 4 ? 1 : 7) {
                check.expect(n, (in + out) % 3 == 0 ? ALL : HALF, in, out);
                if (this->HasFatalFailure()) return;
            }
        }
    }
}

/// No synchronisation between calls. The final call overwrites all that earlier ones wrote.
TYPED_TEST(CompactionOf, CallsBackToBack) {
    constexpr long long MANY = 200 * TestFixture::TILE;
    CompactionCheck<TypeParam> check(MANY);
    check.expect(MANY, HALF, 1, 2, [&] {
        for (int call = 0; call < 50; ++call) check.call(MANY * (50 - call) / 50, HALF, 1, 2, nullptr);
        check.call(MANY, HALF, 1, 2, nullptr);
    });
}

/// Calls of three lengths in one graph, launched three times.
TYPED_TEST(CompactionOf, Graphs) {
    constexpr long long MANY = 150 * TestFixture::TILE + 9;
    CompactionCheck<TypeParam> check(MANY);
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    check.expect(MANY, HALF, 0, 3, [&] {
        check.call(MANY, HALF, 0, 3, stream);  // loads the kernels
        const harness::Graph graph(stream, [&] {
            for (const long long n : {MANY / 2, 0LL, MANY}) check.call(n, HALF, 0, 3, stream);
        });
        for (int time = 0; time < 3; ++time) graph.launch();
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    });
    ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

/// Other tile and ring sizes.
template <class Policy>
class CompactionWith : public testing::Test {};
template <class T_, int STAGES, unsigned LOADS_IN_FLIGHT, int BYTES, int UNIT_BYTES = 16>
struct Cut : CompactRingPolicy<T_, STAGES, LOADS_IN_FLIGHT, BYTES, UNIT_BYTES> {
    using T = T_;
};
using Cuts = testing::Types<Cut<int, 3, 1, 112>, Cut<int, 6, 3, 112, 4>, Cut<int, 7, 3, 80, 8>,
                            Cut<int, 6, 2, 128>, Cut<std::int8_t, 6, 3, 80, 4>, Cut<Row, 6, 3, 80>>;
TYPED_TEST_SUITE(CompactionWith, Cuts, );

TYPED_TEST(CompactionWith, Lengths) {
    constexpr long long TILE = TypeParam::SMALLEST_TILE;
    CompactionCheck<typename TypeParam::T, TypeParam> check(400 * TILE);
    for (const long long n : {1LL, TILE - 1, TILE + 1, 133 * TILE, 400 * TILE - 3}) {
        check.expect(n, HALF, n % 3, n % 5);
        check.expect(n, MOST, n % 3, n % 5);
        if (this->HasFatalFailure()) return;
    }
}

}  // namespace
