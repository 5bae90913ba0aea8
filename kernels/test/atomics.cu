// Sums and histograms by atomics, however many elements one atomic adds for: any length, with one object for
// many calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/textbook/device/histogram.cuh"
#include "kernels/textbook/device/reduce_aggregated.cuh"

using namespace trial;

namespace {

/// Around a warp, a block and a tile of 32 or 64 threads with 3 elements each, and many tiles.
constexpr std::size_t LENGTHS[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 97, 191, 192, 193, 1000, 6001};

template <class T, class Reduction>
void expect_sums_by(Reduction& reduce) {
    ASSERT_EQ(reduce.status(), cudaSuccess);
    for (const std::size_t n : LENGTHS) {
        const auto values = exact_elements<T>(n, unsigned(n + 1));
        DeviceVector<T> in(values, n % 3), out(1, n % 2);
        for (int call = 0; call < 2; ++call) {
            out.poison();
            reduce(in.data(), out.data(), static_cast<long long>(n), nullptr);
            ASSERT_EQ(cudaGetLastError(), cudaSuccess);
            ASSERT_EQ(out.read()[0], std::accumulate(values.begin(), values.end(), T(0)))
                << "n " << n << ", call " << call;
        }
    }
}

template <class T, Adds ADDS, int THREADS>
void expect_sums() {
    for (const int counters : {1, 2, 64}) {
        SCOPED_TRACE("counters " + std::to_string(counters));
        AggregatedReduction<ADDS, T, 3, THREADS> reduce(counters);
        expect_sums_by<T>(reduce);
    }
}

template <class T>
class Totals : public testing::Test {};
using Types = testing::Types<int, float, double, long long>;
TYPED_TEST_SUITE(Totals, Types);

TYPED_TEST(Totals, ByAtomics) {
    expect_sums<TypeParam, Adds::element, 64>();
    expect_sums<TypeParam, Adds::element_hidden, 64>();
    expect_sums<TypeParam, Adds::thread, 64>();
    expect_sums<TypeParam, Adds::warp, 64>();
    expect_sums<TypeParam, Adds::block, 64>();
}
TYPED_TEST(Totals, BySumsOfTiles) {
    TileSumsReduction<false, TypeParam, 3, 64, 64> two_launches(6001);
    expect_sums_by<TypeParam>(two_launches);
    TileSumsReduction<true, TypeParam, 3, 64> last_block(6001);
    expect_sums_by<TypeParam>(last_block);
}

TEST(TotalsOfInts, EveryShape) {
    expect_sums<int, Adds::block, 32>();
    expect_sums<int, Adds::block, 1024>();
    TileSumsReduction<false, int, 3, 32, 32> two_launches(6001);
    expect_sums_by<int>(two_launches);
    TileSumsReduction<true, int, 3, 1024> last_block(6001);
    expect_sums_by<int>(last_block);
}

template <Counts COUNTS, int BLOCKS>
void expect_histograms(int num_bins, int different) {
    for (const std::size_t n : LENGTHS) {
        SCOPED_TRACE("n " + std::to_string(n) + ", bins " + std::to_string(num_bins));
        std::vector<int> keys(n);
        std::vector<unsigned> expected(num_bins);
        for (std::size_t i = 0; i < n; ++i) {
            keys[i] = num_bins - 1 - int(std::uint32_t(i) * 0x9e3779b9u >> 8) % different;
            ++expected[keys[i]];
        }
        DeviceVector<int> in(keys, n % 3);
        DeviceVector<unsigned> bins(num_bins, n % 2);
        for (int call = 0; call < 2; ++call) {
            bins.poison();
            ASSERT_EQ((histogram<COUNTS, BLOCKS, 3, 64>(in.data(), bins.data(), num_bins, n, nullptr)),
                      cudaSuccess);
            ASSERT_EQ(bins.read(), expected) << "call " << call;
        }
    }
}

template <Counts COUNTS>
void expect_histograms_of_keys() {
    expect_histograms<COUNTS, 1024>(1, 1);
    expect_histograms<COUNTS, 3>(33, 33);  // several tiles a block
    expect_histograms<COUNTS, 3>(1000, 1);
    expect_histograms<COUNTS, 1024>(12'288, 12'288);
}

TEST(Histogram, AnAtomicAnElement) { expect_histograms_of_keys<Counts::element>(); }
TEST(Histogram, AggregatedInTheWarp) { expect_histograms_of_keys<Counts::warp>(); }
TEST(Histogram, PrivateToTheBlock) { expect_histograms_of_keys<Counts::block>(); }

}  // namespace
