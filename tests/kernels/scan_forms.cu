// Every change that converts a block scan to its other form, with a non-commutative operator without inverse
// and with partial tiles.
#include <gtest/gtest.h>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/device/scan_tiles_in_form.cuh"
#include "tests/device_vector.h"
#include "tests/kernels/oracle.h"

namespace {

constexpr int TILE = 128;

template <class Algorithm, Change CHANGE>
void expect_form(bool inclusive, bool in_place = false) {
    constexpr int THREADS = Algorithm::threads(TILE);
    for (const int n : {1, 2, 31, 33, TILE - 1, TILE, TILE + 1, 5 * TILE + 17}) {
        const auto values = random_vector<Brackets>(n, n);
        DeviceVector<Brackets> in(values), out(n);
        out.poison();
        DeviceVector<Brackets>& target = in_place ? in : out;
        launch(scan_tiles_in_form<Algorithm, CHANGE, TILE, THREADS, Padded<>, Brackets, Bicyclic>,
               unsigned(ceil_div(n, TILE)), THREADS, nullptr, in.data(), target.data(),
               static_cast<long long>(n), Bicyclic{});
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
        const auto found = target.read(), expected = scan_oracle(values, TILE, inclusive, Bicyclic{});
        for (int i = 0; i < n; ++i)
            ASSERT_TRUE(same(found[i], expected[i])) << "n " << n << ", element " << i;
    }
}

template <class A>
class InclusiveScan : public testing::Test {};
using InclusiveScans = testing::Types<HillisSteele, BrentKung<>>;
TYPED_TEST_SUITE(InclusiveScan, InclusiveScans);

TYPED_TEST(InclusiveScan, ByItself) { expect_form<TypeParam, Change::none>(true); }
TYPED_TEST(InclusiveScan, ShiftedInputIsExclusive) { expect_form<TypeParam, Change::shift_input>(false); }
TYPED_TEST(InclusiveScan, ShiftedOutputIsExclusive) { expect_form<TypeParam, Change::shift_output>(false); }

TEST(ExclusiveScan, ByItself) { expect_form<Blelloch, Change::none>(false); }
TEST(ExclusiveScan, WithTheInputAddedIsInclusive) { expect_form<Blelloch, Change::add_input>(true); }
TEST(ExclusiveScan, ShiftedOutputIsInclusive) { expect_form<Blelloch, Change::shift_output>(true); }

TEST(ChangedScan, InPlace) {
    expect_form<BrentKung<>, Change::shift_input>(false, true);
    expect_form<Blelloch, Change::add_input>(true, true);
    expect_form<Blelloch, Change::shift_output>(true, true);
}

}  // namespace
