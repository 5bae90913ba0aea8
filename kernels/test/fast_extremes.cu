// The least and the greatest by kernels/fast: a NaN wins wherever it is, or loses if so asked; of nothing the
// neutral element is infinite, for halves too.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/fast/all.cuh"
#include "kernels/test/device_vector.h"

using namespace trial;

namespace {

/// What reduce, an inclusive scan's last value, and the total of the second of two segments are.
template <class Op>
std::vector<float> three_ways(const Workspace& workspace, const std::vector<float>& values) {
    const long long n = static_cast<long long>(values.size());
    DeviceVector<float> in(values), out(n + 3);
    DeviceVector<long long> offsets(std::vector<long long>{0, 0, n});
    const float* const from = in.data();
    EXPECT_EQ(reduce(workspace, from, out.data(), n, Op{}, nullptr), cudaSuccess);
    EXPECT_EQ(segmented_reduce(workspace, from, out.data() + 1, n, offsets.data(), 2, Op{}, nullptr),
              cudaSuccess);
    EXPECT_EQ(inclusive_scan(workspace, from, out.data() + 3, n, Op{}, nullptr), cudaSuccess);
    const std::vector<float> results = out.read();
    return {results[0], results[2], results.back()};
}

TEST(NaN, WinsOrLosesWhereverItIs) {
    const Workspace workspace(bytes_needed<double2>(100), nullptr);
    const auto expect = [&](int n, int nan, int least) {
        std::vector<float> values(n, 1);
        values[least] = -1;
        values[nan] = NAN;
        for (const float result : three_ways<Min<float>>(workspace, values))
            EXPECT_TRUE(std::isnan(result)) << n << ", " << nan << ", " << least << ": " << result;
        for (const float result : three_ways<MinNumber<float>>(workspace, values))
            EXPECT_EQ(result, -1) << n << ", " << nan << ", " << least;
        DeviceVector<float> in(values);
        DeviceVector<Indexed<float>> at(2);
        DeviceVector<Extremes<float>> both(1);
        const float* const from = in.data();
        ASSERT_EQ(arg_min(workspace, from, at.data(), n, nullptr), cudaSuccess);
        ASSERT_EQ(arg_max(workspace, from, at.data() + 1, n, nullptr), cudaSuccess);
        ASSERT_EQ(min_max(workspace, from, both.data(), n, nullptr), cudaSuccess);
        for (const Indexed<float>& found : at.read()) EXPECT_EQ(found.index, nan) << n << ", " << least;
        EXPECT_TRUE(std::isnan(both.read()[0].least) && std::isnan(both.read()[0].greatest));
    };
    for (int n = 2; n <= 4; ++n)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (i != j) expect(n, i, j);
    for (const int n : {34, 50, 66}) expect(n, 32, 33);
}

/// Of several NaNs the first, also where lanes take batches in any order.
TEST(NaN, TheFirstIsFound) {
    constexpr long long N = 70'000, FIRST = 20'001;
    std::vector<float> values(N, 2);
    for (long long i = FIRST; i < N; i += 9'999) values[i] = NAN;
    DeviceVector<float> in(values);
    DeviceVector<Indexed<float>> at(1);
    const Workspace workspace(bytes_needed<double2>(N), nullptr);
    ASSERT_EQ(arg_max(workspace, in.data(), at.data(), N, nullptr), cudaSuccess);
    EXPECT_EQ(at.read()[0].index, FIRST);
}

template <class T>
class OfHalf : public testing::Test {};
using Halves = testing::Types<__half, __nv_bfloat16>;
TYPED_TEST_SUITE(OfHalf, Halves, );

TYPED_TEST(OfHalf, ExtremesOfNothing) {
    using T = TypeParam;
    DeviceVector<T> in(std::vector<T>{T(-5.f), T(-3.f), T(-4.f)}), out(6);
    DeviceVector<int> offsets(std::vector<int>{0, 0, 3});
    const T* const from = in.data();
    const Workspace workspace(bytes_needed<double2>(100), nullptr);
    ASSERT_EQ(exclusive_scan(workspace, from, out.data(), 3, Max<T>{}, nullptr), cudaSuccess);
    ASSERT_EQ(segmented_reduce(workspace, from, out.data() + 3, 3, offsets.data(), 2, Max<T>{}, nullptr),
              cudaSuccess);
    ASSERT_EQ(reduce(workspace, from, out.data() + 5, 0, Min<T>{}, nullptr), cudaSuccess);
    std::vector<float> found;
    for (const T& each : out.read()) found.push_back(static_cast<float>(each));
    EXPECT_EQ(found, (std::vector<float>{-INFINITY, -5, -3, -INFINITY, -3, INFINITY}));
}

}  // namespace
