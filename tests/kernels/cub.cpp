// The wrapped CUB calls compute what the experiments expect of them.
#include "experiments/harness/cub.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "experiments/harness/operands.h"
#include "kernels/predicates.cuh"
#include "tests/device_vector.h"

using namespace trial;

namespace {

template <class T>
std::vector<T> numbers(std::size_t n) {
    std::mt19937 random(5);
    std::vector<T> values(n);
    for (T& value : values) value = T(random() % 1000);
    return values;
}

/// Runs twice, because the temporary storage is allocated once.
void run(const harness::Work& work) {
    work();
    work();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

constexpr long long N = 100'003;

TEST(Cub, ScanAndReduction) {
    const auto values = numbers<int>(N);
    std::vector<int> sums(N);
    std::partial_sum(values.begin(), values.end(), sums.begin());
    DeviceVector<int> in(values), out(N);
    run(harness::cub_device_scan<int>({in.data(), out.data(), N, nullptr}));
    EXPECT_EQ(out.read(), sums);

    DeviceVector<float> floats(std::vector<float>(N, 2)), sum(1);
    run(harness::cub_device_reduce<float>({floats.data(), sum.data(), N, nullptr}));
    EXPECT_EQ(sum.read()[0], 2.0f * N);
}

TEST(Cub, Select) {
    const auto values = numbers<int>(N);
    std::vector<int> expected;
    std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Below<int>{300});
    DeviceVector<int> in(values), out(N);
    DeviceVector<long long> selected(1);
    run(harness::cub_device_select<int>({in.data(), out.data(), N, nullptr}, {300}, selected.data()));
    const auto count = selected.read()[0];
    ASSERT_EQ(count, static_cast<long long>(expected.size()));
    auto found = out.read();
    found.resize(count);
    EXPECT_EQ(found, expected);
}

TEST(Cub, RadixSort) {
    const auto keys = numbers<float>(N);
    std::vector<int> places(N);
    std::iota(places.begin(), places.end(), 0);
    DeviceVector<float> in(keys), out(N);
    DeviceVector<int> places_in(places), places_out(N);
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    auto sorted = keys;
    std::sort(sorted.begin(), sorted.end());

    run(harness::cub_device_radix_sort<float>({in.data(), out.data(), N, nullptr}));
    EXPECT_EQ(out.read(), sorted);
    out.poison();
    run(harness::cub_device_radix_sort<float, int>({in.data(), out.data(), N, nullptr}, places_in.data(),
                                                   places_out.data()));
    EXPECT_EQ(out.read(), sorted);
    EXPECT_EQ(places_out.read(), places);
}

TEST(Cub, RunLengthDecodeAndEncode) {
    constexpr long long RUNS = 3001;
    std::vector<int> values(RUNS), all;
    std::vector<long long> lengths(RUNS);
    for (long long r = 0; r < RUNS; ++r) {
        values[r] = int(r * 7);
        lengths[r] = r == 17 ? 50'000 : 1 + r % 5;
        all.insert(all.end(), lengths[r], values[r]);
    }
    const auto n = static_cast<long long>(all.size());
    DeviceVector<int> runs(values), out(n), runs_again(n);
    DeviceVector<long long> in_lengths(lengths), lengths_again(n), count(1);
    run(harness::cub_device_run_length_decode<int>({runs.data(), out.data(), RUNS, nullptr},
                                                   in_lengths.data()));
    ASSERT_EQ(out.read(), all);

    run(harness::cub_device_run_length_encode<int>({out.data(), runs_again.data(), n, nullptr},
                                                   lengths_again.data(), count.data()));
    ASSERT_EQ(count.read()[0], RUNS);
    auto found = runs_again.read();
    found.resize(RUNS);
    EXPECT_EQ(found, values);
    auto found_lengths = lengths_again.read();
    found_lengths.resize(RUNS);
    EXPECT_EQ(found_lengths, lengths);
}

// --- The toolkit's CUB and the newest in one program: every function for every element type, checked by the
// harness.

using harness::Expected;

constexpr std::uint64_t SEED = 3;
constexpr long long LONG = (1 << 20) + 3;

/// Runs prepare(vectors) on the input and returns the error in the result, or "".
template <class T, class Op, class Prepare>
std::string error_of(Expected::Kind kind, Prepare prepare) {
    const harness::Case c{{}, LONG, &harness::element_type<T>(), {kind, LONG}, {}};
    DeviceVector<T> in(LONG), out(c.out_elements());
    harness::fill<T>(in.data(), LONG, SEED);
    run(prepare(harness::Vectors<T>{in.data(), out.data(), LONG, nullptr}));
    return harness::find_error<T, Op>(c, SEED, out.data());
}

template <class T, class Select>
void expect_selection(Select select) {
    DeviceVector<T> in(LONG), out(LONG);
    DeviceVector<long long> selected(1);
    harness::fill<T>(in.data(), LONG, SEED);
    const Below<T> keep{T(2)};
    run(select(harness::Vectors<T>{in.data(), out.data(), LONG, nullptr}, keep, selected.data()));
    const auto values = in.read();
    std::vector<T> expected;
    std::copy_if(values.begin(), values.end(), std::back_inserter(expected), keep);
    auto found = out.read();
    found.resize(selected.read()[0]);
    EXPECT_TRUE(found == expected);
}

template <class T>
class CubOf : public testing::Test {};
using Numbers = testing::Types<signed char, short, int, long long, float, double>;
TYPED_TEST_SUITE(CubOf, Numbers);

TYPED_TEST(CubOf, Toolkit) {
    using T = TypeParam;
    EXPECT_EQ((error_of<T, Sum<T>>(Expected::inclusive_scan, harness::cub_device_scan<T>)), "");
    EXPECT_EQ((error_of<T, Sum<T>>(Expected::exclusive_scan, harness::cub_device_exclusive_scan<T>)), "");
    EXPECT_EQ((error_of<T, Sum<T>>(Expected::reduction, harness::cub_device_reduce<T>)), "");
    expect_selection<T>(harness::cub_device_select<T>);
}

TYPED_TEST(CubOf, Newest) {
    if (!harness::has_newest_cub()) GTEST_SKIP() << "built without the newest CUB";
    using T = TypeParam;
    namespace newest = harness::newest;
    EXPECT_EQ((error_of<T, Sum<T>>(Expected::inclusive_scan, newest::cub_device_scan<T>)), "");
    EXPECT_EQ((error_of<T, Sum<T>>(Expected::inclusive_scan, newest::cub_device_scan_run_to_run<T>)), "");
    EXPECT_EQ((error_of<T, Sum<T>>(Expected::exclusive_scan, newest::cub_device_exclusive_scan<T>)), "");
    EXPECT_EQ((error_of<T, Sum<T>>(Expected::reduction, newest::cub_device_reduce<T>)), "");
    expect_selection<T>(newest::cub_device_select<T>);
}

template <class Operand>
class CubBy : public testing::Test {};
template <class T, class Op>
struct Operand {
    using Type = T;
    using Operator = Op;
};
using Operands =
    testing::Types<Operand<Brackets, Bicyclic>, Operand<Affine<unsigned>, ComposeAffine<unsigned>>,
                   Operand<Affine<float>, ComposeAffine<float>>,
                   Operand<Affine<double>, ComposeAffine<double>>>;
TYPED_TEST_SUITE(CubBy, Operands);

TYPED_TEST(CubBy, AnOperatorThatDoesNotCommute) {
    using T = typename TypeParam::Type;
    using Op = typename TypeParam::Operator;
    EXPECT_EQ((error_of<T, Op>(Expected::inclusive_scan, harness::cub_device_scan_by<T, Op>)), "");
    if (harness::has_newest_cub()) {
        EXPECT_EQ((error_of<T, Op>(Expected::inclusive_scan, harness::newest::cub_device_scan_by<T, Op>)),
                  "");
    }
}

/// Floats whose sums round, so that a different order of additions is detected.
TEST(Cub, FromRunToRunTheSameBits) {
    if (!harness::has_newest_cub()) GTEST_SKIP() << "built without the newest CUB";
    std::mt19937 random(7);
    std::vector<float> values(LONG);
    for (float& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
    DeviceVector<float> in(values), out(LONG);
    const auto work =
        harness::newest::cub_device_scan_run_to_run<float>({in.data(), out.data(), LONG, nullptr});
    run(work);
    const auto first = out.read();
    for (int i = 0; i < 20; ++i) {
        run(work);
        ASSERT_TRUE(out.read() == first);
    }
}

}  // namespace
