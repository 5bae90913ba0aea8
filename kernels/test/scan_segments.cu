// Scans and reductions of segments in registers, by products of matrices and by shuffles: exact sums of
// integers, the errors of real values, and where infinities and NaNs go.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/launch.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/test/needs.h"
#include "kernels/test/oracle.h"
#include "kernels/textbook/device/scan_segments.cuh"

using namespace trial;

namespace {

template <class Form>
using Element = typename Form::Element;
constexpr float INFINITE = std::numeric_limits<float>::infinity();

/// What a kernel of scan_segments.cuh makes of the values, `results` floats.
template <class Form, class Kernel>
std::vector<float> run(Kernel kernel, const std::vector<float>& values, std::size_t results) {
    const std::vector<Element<Form>> elements(values.begin(), values.end());
    DeviceVector<Element<Form>> in(elements);
    DeviceVector<float> out(results + 1);  // and one that must stay as it is
    out.poison();
    launch(kernel, unsigned(ceil_div(values.size(), SEGMENT_TILE)), SEGMENT_THREADS, nullptr, in.data(),
           out.data(), static_cast<long long>(values.size()));
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    auto found = out.read();
    EXPECT_TRUE(std::isnan(found.back()));
    found.pop_back();
    return found;
}
template <class Form, int SEGMENT>
std::vector<float> scanned(const std::vector<float>& values) {
    return run<Form>(scan_segments<Form, SEGMENT>, values, values.size());
}
template <class Form, int SEGMENT>
std::vector<float> reduced(const std::vector<float>& values) {
    return run<Form>(reduce_segments<Form, SEGMENT>, values, ceil_div(values.size(), SEGMENT));
}

/// Both operations within `units` of 2^-24 of the magnitudes before; exact if units is 0.
template <class Form, int SEGMENT>
void expect_within(double units, const std::vector<float>& values) {
    const auto scan = scanned<Form, SEGMENT>(values), sums = reduced<Form, SEGMENT>(values);
    double sum = 0, magnitudes = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % SEGMENT == 0) sum = magnitudes = 0;
        const double value = static_cast<double>(float(Element<Form>(values[i])));
        sum += value;  // exact: see each caller
        magnitudes += std::fabs(value);
        const double bound = std::ldexp(units * magnitudes, -24);
        ASSERT_LE(std::fabs(scan[i] - sum), bound) << "element " << i << " of " << values.size();
        if ((i + 1) % SEGMENT == 0 || i + 1 == values.size())
            ASSERT_LE(std::fabs(sums[i / SEGMENT] - sum), bound) << "segment " << i / SEGMENT;
    }
}

template <class Form, int SEGMENT>
void expect_exact() {
    for (const int n : {1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, SEGMENT_TILE - 1,
                        SEGMENT_TILE, SEGMENT_TILE + 1, 3 * SEGMENT_TILE + 17}) {
        std::mt19937 random(n);
        std::vector<float> values(n);
        for (float& value : values) value = static_cast<int>(random() % 15) - 7;
        expect_within<Form, SEGMENT>(0, values);
    }
}

/// What a sum may be off by, in 2^-24 of its magnitudes. An instruction adds 17 terms, each cut off at 25
/// bits below the greatest, 17/2 units of it, and cuts the sum off, 2 units. A scan passes through at most
/// 11 of them (rows, sums of rows, rows before) and 10 additions. tf32 cuts elements off, as
/// matrix_products.cuh says.
template <class Form>
constexpr double UNITS = 11 * (17 / 2.0 + 2) + 10;
template <>
constexpr double UNITS<ByProducts<Tf32<1>>> = UNITS<void> + (1 << 14);
template <>
constexpr double UNITS<ByProducts<Tf32<2>>> = UNITS<void> + (1 << 3);

/// Multiples of 2^-24 from -1 to 1: a double holds their sums exactly.
template <class Form, int SEGMENT>
void expect_close() {
    std::mt19937 random(SEGMENT);
    std::vector<float> values(2 * SEGMENT_TILE + 100);
    for (float& value : values)
        value = std::ldexp(static_cast<float>(static_cast<int>(random() >> 7) - (1 << 24)), -24);
    expect_within<Form, SEGMENT>(UNITS<Form>, values);
}

constexpr const char* PRODUCTS = "a product of matrices of this form";
template <class F>
constexpr bool is_by_products = false;
template <class Operand>
constexpr bool is_by_products<ByProducts<Operand>> = true;

template <class F>
class Segments : public testing::Test {
    void SetUp() override {
        if (is_by_products<F>) NEEDS_ARCHITECTURE(80, PRODUCTS);
    }
};
using Forms = testing::Types<ByProducts<Halves>, ByProducts<Tf32<1>>, ByProducts<Tf32<2>>,
                             ByProducts<Bfloats>, ByShuffles<__half>, ByShuffles<float>>;
TYPED_TEST_SUITE(Segments, Forms);

TYPED_TEST(Segments, IntegersExactly) {
    expect_exact<TypeParam, 16>();
    expect_exact<TypeParam, 256>();
    expect_exact<TypeParam, 1024>();
    expect_exact<TypeParam, 4096>();
}

TYPED_TEST(Segments, RealValuesWithinTheBound) {
    expect_close<TypeParam, 16>();
    expect_close<TypeParam, 256>();
    expect_close<TypeParam, 1024>();
    expect_close<TypeParam, 4096>();
}

TEST(PartsOfFloats, KeepWhatTheySay) {
    NEEDS_ARCHITECTURE(80, PRODUCTS);
    std::vector<float> values(16, 0);
    values[0] = 1 + std::ldexp(1.75f, -10);  // 13 bits, of which one part of tf32 has 11
    EXPECT_EQ((reduced<ByProducts<Tf32<1>>, 16>(values)[0]), 1 + std::ldexp(1.0f, -10));
    EXPECT_EQ((reduced<ByProducts<Tf32<2>>, 16>(values)[0]), values[0]);
    values[0] = 1 + std::ldexp(1.0f, -23);
    EXPECT_EQ((reduced<ByProducts<Bfloats>, 16>(values)[0]), values[0]);
}

/// The elements of the result that are no numbers, as [first, last].
std::vector<int> span_of_nan(const std::vector<float>& found) {
    std::vector<int> span;
    for (int i = 0; i < int(found.size()); ++i)
        if (!std::isfinite(found[i])) span = {span.empty() ? i : span[0], i};
    return span;
}

std::vector<float> ones_and(float value, int place) {
    std::vector<float> values(2 * SEGMENT_TILE, 1);
    values[place] = value;
    return values;
}
constexpr int PLACE = 1024 + 256 + 100;  // row 6 of tile 1 of warp 1

/// By additions: from there to the end of the segment.
template <class Form>
void expect_from_there() {
    for (const float value : {INFINITE, std::numeric_limits<float>::quiet_NaN()}) {
        const auto values = ones_and(value, PLACE);
        EXPECT_EQ(span_of_nan(scanned<Form, 16>(values)), (std::vector{PLACE, 1280 + 111}));
        EXPECT_EQ(span_of_nan(scanned<Form, 256>(values)), (std::vector{PLACE, 1280 + 255}));
        EXPECT_EQ(span_of_nan(scanned<Form, 1024>(values)), (std::vector{PLACE, 2047}));
        EXPECT_EQ(span_of_nan(scanned<Form, 4096>(values)), (std::vector{PLACE, 4095}));
    }
}
/// By products: all of its row or tile, before it as well.
template <class Form>
void expect_all_of_the_tile() {
    for (const float value : {INFINITE, std::numeric_limits<float>::quiet_NaN()}) {
        const auto values = ones_and(value, PLACE);
        EXPECT_EQ(span_of_nan(scanned<Form, 16>(values)), (std::vector{1280 + 96, 1280 + 111}));
        EXPECT_EQ(span_of_nan(scanned<Form, 256>(values)), (std::vector{1280, 1280 + 255}));
        EXPECT_EQ(span_of_nan(scanned<Form, 1024>(values)), (std::vector{1280, 2047}));
        EXPECT_EQ(span_of_nan(scanned<Form, 4096>(values)), (std::vector{1280, 4095}));
    }
}

TEST(NotNumbers, AScanByAdditionsLeavesWhatIsBefore) {
    expect_from_there<ByShuffles<__half>>();
    expect_from_there<ByShuffles<float>>();
}

TEST(NotNumbers, AScanByProductsLosesTheWholeTile) {
    NEEDS_ARCHITECTURE(80, PRODUCTS);
    expect_all_of_the_tile<ByProducts<Halves>>();
    expect_all_of_the_tile<ByProducts<Tf32<1>>>();
    expect_all_of_the_tile<ByProducts<Tf32<2>>>();
    expect_all_of_the_tile<ByProducts<Bfloats>>();
}

template <class Form>
float sum_with(float value) {
    const auto sums = reduced<Form, 256>(ones_and(value, PLACE));
    EXPECT_EQ(span_of_nan(sums), (std::vector{5, 5}));
    return sums[5];
}

TEST(NotNumbers, AReductionLosesItsSegmentAlone) {
    NEEDS_ARCHITECTURE(80, PRODUCTS);
    EXPECT_EQ(sum_with<ByShuffles<float>>(INFINITE), INFINITE);
    EXPECT_EQ(sum_with<ByProducts<Halves>>(INFINITE), INFINITE);
    EXPECT_EQ(sum_with<ByProducts<Tf32<1>>>(-INFINITE), -INFINITE);
    EXPECT_TRUE(std::isnan(sum_with<ByProducts<Tf32<2>>>(INFINITE)));  // infinity - infinity is left over
    EXPECT_TRUE(std::isnan(sum_with<ByProducts<Bfloats>>(INFINITE)));
}

}  // namespace
