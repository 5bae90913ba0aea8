// What an operator is given: the results of two ranges of elements, the right one of which follows the left
// one. One that asserts so must not fail, whatever the length.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <random>

#include "kernels/fast/all.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/test/machine.h"

using namespace trial;

namespace {

/// Elements begin .. end - 1.
struct Range {
    int begin, end;
};
__device__ unsigned apart;  ///< how often the operator was given ranges that do not follow one another
struct Join {
    __device__ Range operator()(Range left, Range right) const {
        if (left.end != right.begin) atomicAdd(&apart, 1u);
        return {left.begin, right.end};
    }
    __host__ __device__ static Range identity() { return {0, 0}; }  ///< a result, and never an operand
};

class Neighbours : public testing::TestWithParam<int> {
   protected:
    static std::vector<Range> ranges(int n) {
        std::vector<Range> all(n);
        for (int i = 0; i < n; ++i) all[i] = {i, i + 1};
        return all;
    }
    const int n = GetParam();
    const Workspace workspace{bytes_needed<double2>(n), nullptr};
    DeviceVector<Range> elements{ranges(n)}, out = DeviceVector<Range>(std::max(n, 4));
    const Range* const in = elements.data();
    const Range seed{-7, 0};

    template <class Call>
    void expect(Call call, int line = __builtin_LINE()) {
        const testing::ScopedTrace trace(__FILE__, line, "call");
        const unsigned none = 0;
        unsigned met = 0;
        ASSERT_EQ(cudaMemcpyToSymbol(apart, &none, sizeof(none)), cudaSuccess);
        ASSERT_EQ(call(), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        ASSERT_EQ(workspace.status(), cudaSuccess);
        ASSERT_EQ(cudaMemcpyFromSymbol(&met, apart, sizeof(met)), cudaSuccess);
        EXPECT_EQ(met, 0u);
    }
    void expect_scan(int begin, int shift) {
        const std::vector<Range> found = out.read();
        for (int i = 0; i < n; ++i) {
            ASSERT_EQ(found[i].begin, begin) << i;
            ASSERT_EQ(found[i].end, i + shift) << i;
        }
    }
};

TEST_P(Neighbours, Scan) {
    expect([&] { return inclusive_scan(workspace, in, out.data(), n, Join{}, nullptr); });
    expect_scan(0, 1);
    expect([&] { return exclusive_scan(workspace, in, out.data(), n, Join{}, seed, nullptr); });
    expect_scan(-7, 0);
}
TEST_P(Neighbours, ScanInPlace) {
    expect([&] { return inclusive_scan(workspace, elements.data(), elements.data(), n, Join{}, nullptr); });
}
TEST_P(Neighbours, Reduce) {
    expect([&] { return reduce(workspace, in, out.data(), n, Join{}, seed, nullptr); });
    EXPECT_EQ(out.read()[0].begin, -7);
    EXPECT_EQ(out.read()[0].end, n);
}
TEST_P(Neighbours, ByKey) {
    std::vector<int> numbers(n);
    std::mt19937 random(5);
    for (int i = 1; i < n; ++i) numbers[i] = numbers[i - 1] + (random() % 100 == 0);
    DeviceVector<int> keys(numbers), unique_out(n), count(1);
    const int* const by = keys.data();
    expect([&] { return inclusive_scan_by_key(workspace, by, in, out.data(), n, Join{}, nullptr); });
    expect([&] {
        return reduce_by_key(workspace, by, in, unique_out.data(), out.data(), count.data(), n, Join{},
                             nullptr);
    });
}
TEST_P(Neighbours, Segments) {
    DeviceVector<int> offsets(std::vector<int>{0, n / 3, n / 3, n / 2, n});
    expect([&] {
        return segmented_inclusive_scan(workspace, in, out.data(), n, offsets.data(), 4, Join{}, nullptr);
    });
    expect(
        [&] { return segmented_reduce(workspace, in, out.data(), n, offsets.data(), 4, Join{}, nullptr); });
    const Segments<const int*, const int*> listed{offsets.data(), offsets.data() + 1};
    expect(
        [&] { return segmented_inclusive_scan(workspace, in, out.data(), n, listed, 4, Join{}, nullptr); });
    expect([&] { return segmented_reduce(workspace, in, out.data(), n, listed, 4, Join{}, nullptr); });
}
TEST_P(Neighbours, EqualSegments) {
    for (const int length : {1, 7, 32, 100, 1000}) {
        if (n % length != 0) continue;
        const EqualSegments equal{length};
        expect([&] {
            return segmented_inclusive_scan(workspace, in, out.data(), n, equal, n / length, Join{}, nullptr);
        });
        expect([&] {
            return segmented_reduce(workspace, in, out.data(), n, equal, n / length, Join{}, nullptr);
        });
    }
}

/// A vector behind an iterator.
struct Behind {
    using value_type = Range;
    const Range* of;
    __device__ Range operator[](long long i) const { return of[i]; }
};
TEST_P(Neighbours, Iterators) {
    expect([&] { return inclusive_scan(workspace, Behind{in}, out.data(), n, Join{}, nullptr); });
    expect_scan(0, 1);
    expect([&] { return reduce(workspace, Behind{in}, out.data(), n, Join{}, nullptr); });
    EXPECT_EQ(out.read()[0].end, n);
}
TEST_P(Neighbours, LengthOnTheDevice) {
    DeviceVector<int> length(std::vector<int>{n});
    const OnDevice<int> known{length.data(), n};
    expect([&] { return inclusive_scan(workspace, in, out.data(), known, Join{}, nullptr); });
    expect_scan(0, 1);
    expect([&] { return reduce(workspace, in, out.data(), known, Join{}, nullptr); });
    EXPECT_EQ(out.read()[0].end, n);
}
TEST_P(Neighbours, Columns) {
    for (const int columns : {1, 3, 33}) {
        const int rows = n / columns;
        std::vector<Range> matrix(rows * columns);
        for (int i = 0; i < rows * columns; ++i) matrix[i] = {i / columns, i / columns + 1};
        DeviceVector<Range> from(matrix);
        const Range* const of = from.data();
        expect([&] {
            return inclusive_scan_columns(workspace, of, out.data(), rows, columns, Join{}, nullptr);
        });
    }
}

/// Of 12 bytes, which fill no word of 16.
struct Wide {
    int begin, end, none;
};
struct JoinWide {
    __device__ Wide operator()(Wide left, Wide right) const {
        if (left.end != right.begin) atomicAdd(&apart, 1u);
        return {left.begin, right.end, 0};
    }
};
TEST_P(Neighbours, ScanOfTwelveBytes) {
    std::vector<Wide> all(n);
    for (int i = 0; i < n; ++i) all[i] = {i, i + 1, 0};
    DeviceVector<Wide> from(all), to(n);
    const Wide* const of = from.data();
    expect([&] { return inclusive_scan(workspace, of, to.data(), n, JoinWide{}, nullptr); });
    const std::vector<Wide> found = to.read();
    for (int i = 0; i < n; ++i) ASSERT_TRUE(found[i].begin == 0 && found[i].end == i + 1) << i;
}

INSTANTIATE_TEST_SUITE_P(Lengths, Neighbours,
                         testing::Values(1, 2, 31, 33, 127, 128, 129, 255, 511, 513, 1000, 1025, 5000, 20'001,
                                         100'000, 500'003, 2'000'001));

}  // namespace
