// The device-wide three-phase scan, for any length and operator, with either spine.
#include "kernels/textbook/device/scan_three_phase.cuh"

#include <gtest/gtest.h>

#include "kernels/operators.cuh"
#include "tests/device_vector.h"
#include "tests/kernels/oracle.h"

namespace {

template <class T, class Op>
std::vector<T> scan(Spine spine, const std::vector<T>& values, bool in_place = false) {
    DeviceVector<T> in(values, values.size() % 3), out(values.size(), values.size() % 5);
    if (!values.empty()) out.poison();
    ThreePhaseScan<T, Op> work(spine, values.size());
    EXPECT_EQ(work.status(), cudaSuccess);
    work(in.data(), in_place ? in.data() : out.data(), values.size(), Op{}, nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    return in_place ? in.read() : out.read();
}

template <class T, class Op>
void expect_exact(Spine spine, std::size_t n, bool in_place = false) {
    const auto values = random_vector<T>(n, unsigned(n));
    const auto found = scan<T, Op>(spine, values, in_place),
               expected = scan_oracle(values, n + 1, true, Op{});
    for (std::size_t i = 0; i < n; ++i)
        ASSERT_TRUE(same(found[i], expected[i])) << "n " << n << ", element " << i;
}

class ThreePhase : public testing::TestWithParam<Spine> {};
INSTANTIATE_TEST_SUITE_P(Spines, ThreePhase, testing::Values(Spine::host, Spine::device),
                         [](const auto& info) { return info.param == Spine::host ? "host" : "device"; });

TEST_P(ThreePhase, AnyLength) {
    for (const std::size_t n : {0, 1, 2, 31, 32, 33, 1023, 1024, 1025, 2047, 2048, 2049, 10'007, 65'536})
        expect_exact<int, Sum<int>>(GetParam(), n);
}

TEST_P(ThreePhase, OperatorsThatDoNotCommute) {
    for (const std::size_t n : {1, 33, 1024, 1025, 5000}) {
        expect_exact<Brackets, Bicyclic>(GetParam(), n);
        expect_exact<Affine<unsigned>, ComposeAffine<unsigned>>(GetParam(), n);
    }
}

TEST_P(ThreePhase, InPlace) { expect_exact<Brackets, Bicyclic>(GetParam(), 3333, true); }

/// More tile sums than one tile holds: the spine itself needs a spine. A single-block spine stops here.
TEST_P(ThreePhase, MoreThanAMillion) { expect_exact<int, Sum<int>>(GetParam(), 1024 * 1024 + 1025); }

TEST_P(ThreePhase, Floats) {
    const std::size_t n = 100'003;
    const auto values = random_vector<float>(n, 7);
    const auto found = scan<float, Sum<float>>(GetParam(), values);
    double sum = 0, magnitudes = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += values[i];
        magnitudes += std::fabs(values[i]);
        // Dependent additions: a tile's tree, then the spine (sequential on the host), then the final
        // addition.
        ASSERT_LE(std::fabs(found[i] - sum), sum_bound<float>(20 + 98 + 1, magnitudes)) << i;
    }
}

TEST_P(ThreePhase, OneWorkspaceServesShorterVectors) {
    ThreePhaseScan<int, Sum<int>> work(GetParam(), 100'000);
    for (const std::size_t n : {100'000, 1, 1025, 50'000}) {
        const auto values = random_vector<int>(n, unsigned(n));
        DeviceVector<int> in(values), out(n);
        work(in.data(), out.data(), n, Sum<int>{}, nullptr);
        ASSERT_EQ(out.read(), scan_oracle(values, n, true, Sum<int>{}));
    }
}

}  // namespace
