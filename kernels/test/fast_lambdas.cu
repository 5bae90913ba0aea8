// __device__ lambdas as operators and predicates of kernels/fast, with and without a type of result.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <cuda/functional>

#include "kernels/fast/all.cuh"
#include "kernels/test/device_vector.h"

using namespace trial;

// Not in an unnamed namespace, and not in a TEST: its function is private, and such lambdas may not be.
void expect_sums_of_lambdas() {
    constexpr long long N = 500;
    const Workspace workspace(bytes_needed<double2>(N), nullptr);
    DeviceVector<float> twos(std::vector<float>(N, 2)), out(N);
    DeviceVector<int> offsets(std::vector<int>{0, 200, N}), number(1);
    const float* const in = twos.data();
    const float factor = 1;
    const auto sum = [factor] __device__(float a, float b) { return factor * a + b; };
    const auto typed = [factor] __device__(float a, float b) -> float { return factor * a + b; };
    ASSERT_EQ(reduce(workspace, in, out.data(), N, sum, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[0], 2 * N);
    ASSERT_EQ(reduce(workspace, in, out.data(), N, typed, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[0], 2 * N);
    ASSERT_EQ(reduce(workspace, in, out.data(), N, cuda::proclaim_return_type<float>(sum), nullptr),
              cudaSuccess);
    EXPECT_EQ(out.read()[0], 2 * N);
    ASSERT_EQ(exclusive_scan(workspace, in, out.data(), N, sum, 0, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[N - 1], 2 * N - 2);
    ASSERT_EQ(exclusive_scan_columns(workspace, in, out.data(), N / 2, 2, sum, 0, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[N - 1], N - 2);
    ASSERT_EQ(segmented_reduce(workspace, in, out.data(), N, offsets.data(), 2, sum, 0, nullptr),
              cudaSuccess);
    EXPECT_EQ(out.read()[1], 600);
    ASSERT_EQ(select_if(
                  workspace, in, out.data(), number.data(), N,
                  [factor] __device__(float x) { return x > factor; }, nullptr),
              cudaSuccess);
    EXPECT_EQ(number.read()[0], N);
}

TEST(DeviceLambdas, AreOperators) { expect_sums_of_lambdas(); }
