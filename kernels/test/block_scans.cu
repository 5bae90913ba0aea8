// Every block scan, with every operator, index map and awkward length, in either form, checked against a
// sequential scan.
#include <gtest/gtest.h>

#include "kernels/test/device_vector.h"
#include "kernels/test/oracle.h"
#include "kernels/test/scan_of_tiles.h"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_hillis_steele_two_buffers.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/block/scan_raking.cuh"
#include "kernels/textbook/block/scan_sklansky.cuh"
#include "kernels/textbook/device/scan_tiles_in_form.cuh"

using namespace trial;

namespace {

std::vector<int> awkward_lengths(int tile) {
    return {1, 2, 3, 31, 32, 33, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 17, 7 * tile - 5};
}

/// Exact operators: every element and every tile sum must match.
template <class T, class Op>
void expect_exact(const ScanOfTiles<T, Op>& scan, bool in_place) {
    for (const int n : awkward_lengths(scan.tile)) {
        if (n < 1) continue;
        const auto values = random_vector<T>(n, n);
        DeviceVector<T> in(values), out(n), sums(ceil_div(n, scan.tile));
        out.poison();
        sums.poison();
        DeviceVector<T>& target = in_place ? in : out;
        ASSERT_EQ(scan(in.data(), target.data(), sums.data(), n), cudaSuccess);

        const auto found = target.read(), expected = scan_oracle(values, scan.tile, scan.inclusive, Op{});
        for (int i = 0; i < n; ++i)
            ASSERT_TRUE(same(found[i], expected[i])) << "n " << n << ", element " << i;
        const auto totals = scan_oracle(values, scan.tile, true, Op{}), found_totals = sums.read();
        for (int tile = 0; tile * scan.tile < n; ++tile)
            ASSERT_TRUE(same(found_totals[tile], totals[std::min(n, (tile + 1) * scan.tile) - 1]))
                << "n " << n;
    }
}

template <class Algorithm, int TILE, class Map, class T, class Op>
void expect_exact(bool in_place = false) {
    expect_exact(scan_of_tiles<Algorithm, TILE, Map, T, Op>(), in_place);
}

/// Floats: the error stays within the bound for at most 2 log2 TILE dependent additions.
template <class T>
void expect_close(const ScanOfTiles<T, Sum<T>>& scan) {
    for (const int n : awkward_lengths(scan.tile)) {
        const auto values = random_vector<T>(n, n);
        DeviceVector<T> in(values), out(n);
        out.poison();
        ASSERT_EQ(scan(in.data(), out.data(), nullptr, n), cudaSuccess);
        const auto found = out.read();
        long double sum = 0, magnitudes = 0;
        for (int i = 0; i < n; ++i) {
            if (i % scan.tile == 0) sum = magnitudes = 0;
            const long double before = sum;
            sum += values[i];
            magnitudes += std::fabs(values[i]);
            const double expected = double(scan.inclusive ? sum : before);
            ASSERT_LE(std::fabs(found[i] - expected), sum_bound<T>(2 * 11, double(magnitudes)))
                << "n " << n << ", element " << i;
        }
    }
}

template <class A>
class BlockScan : public testing::Test {};
using Algorithms =
    testing::Types<HillisSteele, HillisSteeleTwoBuffers, Blelloch, BrentKung<Threads::contiguous>,
                   BrentKung<Threads::spaced>, Sklansky, KoggeStone<Form::inclusive>,
                   KoggeStone<Form::exclusive>, Raking<2, Form::inclusive>, Raking<2, Form::exclusive>>;
TYPED_TEST_SUITE(BlockScan, Algorithms);

TYPED_TEST(BlockScan, EveryOperatorTileAndIndexMap) {
    expect_exact<TypeParam, 2, Padded<>, Brackets, Bicyclic>();
    expect_exact<TypeParam, 32, Plain, int, Max<int>>();
    expect_exact<TypeParam, 64, TwoLevel, Brackets, Bicyclic>();
    expect_exact<TypeParam, 256, Padded<16>, Affine<unsigned>, ComposeAffine<unsigned>>();
    expect_exact<TypeParam, 512, Swizzled, Brackets, Bicyclic>();
    expect_exact<TypeParam, 512, Swizzled, Brackets, Bicyclic>(true);
}

TYPED_TEST(BlockScan, Floats) { expect_close(scan_of_tiles<TypeParam, 1024, Padded<>, float, Sum<float>>()); }

/// A tile of 2,048 exceeds the 1,024 threads of a block, so two algorithms use two elements per thread.
TEST(BlockScanTwoAThread, Tile2048) {
    expect_exact<HillisSteele, 2048, Plain, Brackets, Bicyclic>();
    expect_exact<HillisSteeleTwoBuffers, 2048, Plain, Brackets, Bicyclic>();
    expect_exact<Blelloch, 2048, Padded<>, Brackets, Bicyclic>();
    expect_exact<BrentKung<>, 2048, Padded<>, Brackets, Bicyclic>();
    expect_exact<Sklansky, 2048, Plain, Brackets, Bicyclic>();
}

/// A scan that is converted to the other form.
template <class Algorithm, Change CHANGE>
void expect_form(bool inclusive, bool in_place = false) {
    constexpr int TILE = 128, THREADS = Algorithm::threads(TILE);
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

TEST(ChangedScan, IsInTheOtherForm) {
    expect_form<HillisSteele, Change::shift_input>(false);
    expect_form<HillisSteele, Change::shift_output>(false);
    expect_form<BrentKung<>, Change::shift_input>(false);
    expect_form<BrentKung<>, Change::shift_input>(false, true);
    expect_form<BrentKung<>, Change::shift_output>(false);
    expect_form<Blelloch, Change::add_input>(true);
    expect_form<Blelloch, Change::add_input>(true, true);
    expect_form<Blelloch, Change::shift_output>(true);
    expect_form<Blelloch, Change::shift_output>(true, true);
}

TEST(ChangedScan, OrAsItWasIfNothingChanges) {
    expect_form<HillisSteele, Change::none>(true);
    expect_form<Blelloch, Change::none>(false);
}

template <class Map>
void expect_one_to_one(int n) {
    std::vector<bool> taken(Map::size(n), false);
    for (int i = 0; i < n; ++i) {
        ASSERT_GE(Map::at(i), 0);
        ASSERT_LT(Map::at(i), Map::size(n)) << i;
        ASSERT_FALSE(taken[Map::at(i)]) << i;
        taken[Map::at(i)] = true;
    }
}

TEST(IndexMaps, GiveEachElementAPlaceOfItsOwn) {
    for (int n = 1; n <= 2048; ++n) {
        expect_one_to_one<Plain>(n);
        expect_one_to_one<Padded<>>(n);
        expect_one_to_one<Padded<16>>(n);
        expect_one_to_one<Swizzled>(n);
        expect_one_to_one<TwoLevel>(n);
    }
}

}  // namespace
