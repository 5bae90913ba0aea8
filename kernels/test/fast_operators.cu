// Operators as users write them: functors whose operator() is not const, seeds of another type, halves.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include "kernels/fast/all.cuh"
#include "kernels/test/device_vector.h"

using namespace trial;

namespace {

constexpr long long N = 3000;

struct CountingSum {
    int calls = 0;
    __device__ float operator()(float left, float right) {
        ++calls;
        return left + right;
    }
    __host__ __device__ static float identity() { return 0; }
};
struct CountingOdd {
    int calls = 0;
    __device__ bool operator()(float element) {
        ++calls;
        return static_cast<int>(element) % 2 == 1;
    }
};

struct Operators : testing::Test {
    const Workspace workspace{bytes_needed<double2>(N), nullptr};
    DeviceVector<float> ones{std::vector<float>(N, 1)}, out{N};
    DeviceVector<int> offsets{std::vector<int>{0, 1000, N}};
};
using OperatorsOfCalls = Operators;

TEST_F(OperatorsOfCalls, MayBeNotConst) {
    const float* const in = ones.data();
    DeviceVector<int> number(1);
    ASSERT_EQ(exclusive_scan(workspace, in, out.data(), N, CountingSum{}, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[N - 1], N - 1);
    ASSERT_EQ(inclusive_scan_by_key(workspace, in, in, out.data(), N, CountingSum{}, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[N - 1], N);
    ASSERT_EQ(reduce(workspace, in, out.data(), N, CountingSum{}, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[0], N);
    ASSERT_EQ(segmented_reduce(workspace, in, out.data(), N, offsets.data(), 2, CountingSum{}, nullptr),
              cudaSuccess);
    EXPECT_EQ(out.read()[1], N - 1000);
    ASSERT_EQ(select_if(workspace, in, out.data(), number.data(), N, CountingOdd{}, nullptr), cudaSuccess);
    EXPECT_EQ(number.read()[0], N);
    ASSERT_EQ(partition_if(workspace, in, out.data(), number.data(), N, CountingOdd{}, nullptr), cudaSuccess);
    EXPECT_EQ(number.read()[0], N);
}

/// A literal 0 is a number, not a null pointer, and the seed has the type of the results.
TEST_F(OperatorsOfCalls, TakeSeedsOfOtherTypes) {
    const float* const in = ones.data();
    ASSERT_EQ(exclusive_scan(workspace, in, out.data(), N, Sum<float>{}, 0, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[0], 0);
    ASSERT_EQ(inclusive_scan(workspace, in, out.data(), N, Sum<float>{}, 7u, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[N - 1], N + 7);
    ASSERT_EQ(exclusive_scan(workspace, in, out.data(), N, Sum<float>{}, 0.5, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[1], 1.5f);
    const Prefix<float>* const none = nullptr;
    ASSERT_EQ(exclusive_scan(workspace, in, out.data(), N, Sum<float>{}, none, nullptr), cudaSuccess);
    EXPECT_EQ(out.read()[1], 1);
}

template <class T>
class SumsOfHalf : public Operators {};
using Halves = testing::Types<__half, __nv_bfloat16>;
TYPED_TEST_SUITE(SumsOfHalf, Halves, );

/// In halves the sum of ones would end at 2,048 or 256.
TYPED_TEST(SumsOfHalf, AreOfFloats) {
    using T = TypeParam;
    DeviceVector<T> halves(std::vector<T>(N, T(1.f))), to(N);
    const T* const in = halves.data();
    const T expected = T(float(N));
    ASSERT_EQ(reduce(this->workspace, in, to.data(), N, Sum<T>{}, nullptr), cudaSuccess);
    EXPECT_EQ(float(to.read()[0]), float(expected));
    ASSERT_EQ(reduce(this->workspace, in, this->out.data(), N, Sum<T>{}, nullptr), cudaSuccess);
    EXPECT_EQ(this->out.read()[0], N);
    ASSERT_EQ(inclusive_scan(this->workspace, in, to.data(), N, Sum<T>{}, nullptr), cudaSuccess);
    EXPECT_EQ(float(to.read()[N - 1]), float(expected));
    ASSERT_EQ(segmented_reduce(this->workspace, in, to.data(), N, this->offsets.data(), 2, Sum<T>{}, nullptr),
              cudaSuccess);
    EXPECT_EQ(float(to.read()[1]), float(T(2000.f)));
}

}  // namespace
