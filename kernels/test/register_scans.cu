// The block scans with elements in registers, for any element type and operator, either form, partial tiles.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/test/scan_of_tiles.h"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/block/scan_raking.cuh"

using namespace trial;

namespace {

template <class T, class Op>
void expect_scan(const ScanOfTiles<T, Op>& scan, int n, bool in_place = false) {
    const auto values = exact_elements<T>(n, unsigned(n));
    DeviceVector<T> in(values), out(n);
    out.poison();
    DeviceVector<T>& target = in_place ? in : out;
    ASSERT_EQ(scan(in.data(), target.data(), nullptr, n), cudaSuccess);
    const auto found = target.read(), expected = pure_oracle(values, scan.tile, scan.inclusive, Op{});
    for (int i = 0; i < n; ++i) ASSERT_TRUE(same(found[i], expected[i])) << "n " << n << ", element " << i;
}

template <class Algorithm, int TILE, class T, class Op, int THREADS = Algorithm::threads(TILE),
          class Map = Plain>
void expect_scan(int n, bool in_place = false) {
    expect_scan(scan_of_tiles<Algorithm, TILE, Map, T, Op, THREADS>(), n, in_place);
}

template <class T, class Op>
void expect_scans(const ScanOfTiles<T, Op>& scan) {
    for (const int n : {1, 31, 32, 33, scan.tile - 1, scan.tile, scan.tile + 1, 2 * scan.tile + 77})
        expect_scan(scan, n);
}

template <class E>
class RegisterScan : public testing::Test {};
TYPED_TEST_SUITE(RegisterScan, EveryElement);

TYPED_TEST(RegisterScan, AnyLength) {
    using T = typename TypeParam::Type;
    using Op = typename TypeParam::Operator;
    expect_scans(scan_of_tiles<KoggeStone<Form::inclusive>, 256, Plain, T, Op>());
    expect_scans(scan_of_tiles<Raking<7, Form::exclusive>, 7 * 96, Plain, T, Op>());
}

/// From less than one warp to 32 warps, including tiles that are no power of two. Pure says if it was
/// combined with the neutral element.
template <Form FORM, int TILE>
void expect_tile() {
    for (const int n : {1, TILE / 2 + 1, TILE, 3 * TILE - 1})
        expect_scan<KoggeStone<FORM>, TILE, Pure, PureSum>(n);
}
TEST(RegisterScans, EveryTile) {
    expect_tile<Form::exclusive, 1>();
    expect_tile<Form::inclusive, 2>();
    expect_tile<Form::exclusive, 32>();
    expect_tile<Form::inclusive, 33>();
    expect_tile<Form::exclusive, 64>();
    expect_tile<Form::inclusive, 96>();
    expect_tile<Form::exclusive, 1000>();
    expect_tile<Form::inclusive, 1024>();
}

template <Form FORM, int ITEMS_PER_THREAD, int THREADS>
void expect_rakes() {
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    for (const int n : {1, ITEMS_PER_THREAD, ITEMS_PER_THREAD + 1, TILE / 2 + 1, TILE, 3 * TILE - 1})
        expect_scan<Raking<ITEMS_PER_THREAD, FORM>, TILE, Pure, PureSum, THREADS, Padded<>>(n);
}
TEST(RegisterScans, EveryLengthOfRake) {
    expect_rakes<Form::inclusive, 1, 64>();
    expect_rakes<Form::exclusive, 2, 1>();
    expect_rakes<Form::inclusive, 4, 33>();
    expect_rakes<Form::exclusive, 8, 128>();
    expect_rakes<Form::inclusive, 15, 256>();
    expect_rakes<Form::exclusive, 3, 1024>();
}

/// out: the scan of one tile, backwards, and in[0], which lies behind the tile. Each thread reads what
/// another one wrote.
template <class Algorithm, int TILE, int THREADS, class T, class Op>
__global__ void scan_backwards(const T* in, T* out, int count, Op op) {
    __shared__ T tile[TILE + 1];
    if (threadIdx.x == 0) tile[TILE] = in[0];
    load_tile<TILE, THREADS, Plain>(tile, in, count);
    Algorithm::template scan<TILE, THREADS, Plain>(tile, count, op);
    for (int i = threadIdx.x; i < count; i += THREADS) out[i] = tile[count - 1 - i];
    if (threadIdx.x == 0) out[count] = tile[TILE];
}

template <class Algorithm, int TILE>
void expect_backwards(int n) {
    const auto values = exact_elements<Brackets>(n, unsigned(n));
    constexpr int THREADS = Algorithm::threads(TILE) + 32;
    DeviceVector<Brackets> in(values), out(n + 1);
    out.poison();
    launch(scan_backwards<Algorithm, TILE, THREADS, Brackets, Bicyclic>, 1, THREADS, nullptr, in.data(),
           out.data(), n, Bicyclic{});
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    auto found = out.read();
    ASSERT_TRUE(same(found.back(), values[0])) << "n " << n;
    found.pop_back();
    std::reverse(found.begin(), found.end());
    const auto expected = pure_oracle(values, TILE, Algorithm::inclusive, Bicyclic{});
    for (int i = 0; i < n; ++i) ASSERT_TRUE(same(found[i], expected[i])) << "n " << n << ", element " << i;
}

/// The result may be read without another barrier, by any thread.
TEST(RegisterScans, AnyThreadReadsTheResult) {
    for (const int n : {33, 100, 128}) {
        expect_backwards<KoggeStone<Form::inclusive>, 128>(n);
        expect_backwards<KoggeStone<Form::exclusive>, 128>(n);
    }
    for (const int n : {33, 300, 320}) expect_backwards<Raking<5>, 320>(n);
}

/// A number that is an element, or has been combined of elements, if it says so.
struct Checked {
    int value;
    bool is_element;
};
struct CheckedSum {
    unsigned* misuses;  ///< how often it was applied to anything else
    __device__ Checked operator()(Checked left, Checked right) const {
        if (!left.is_element || !right.is_element) atomicAdd(misuses, 1u);
        return {left.value + right.value, true};
    }
    __host__ __device__ static Checked identity() { return {0, false}; }
};

template <class Algorithm, int TILE>
void expect_applied_to_elements(int n) {
    DeviceVector<Checked> in(std::vector<Checked>(n, {1, true})), out(n);
    DeviceVector<unsigned> misuses(std::vector<unsigned>{0});
    Checked* const no_sums = nullptr;
    launch(scan_tiles<Algorithm, TILE, Algorithm::threads(TILE), Plain, Checked, CheckedSum>,
           unsigned(ceil_div(n, TILE)), Algorithm::threads(TILE), nullptr, in.data(), out.data(), no_sums,
           static_cast<long long>(n), CheckedSum{misuses.data()});
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(misuses.read()[0], 0u) << "n " << n;
    EXPECT_EQ(out.read()[n - 1].value, (n - 1) % TILE + Algorithm::inclusive);
}

TEST(RegisterScans, OperatorsAreAppliedToElementsOnly) {
    for (const int n : {1, 2, 31, 32, 33, 64, 65, 127, 128, 129}) {
        expect_applied_to_elements<KoggeStone<Form::inclusive>, 128>(n);
        expect_applied_to_elements<KoggeStone<Form::exclusive>, 128>(n);
        expect_applied_to_elements<Raking<3, Form::inclusive>, 3 * 64>(n);
        expect_applied_to_elements<Raking<3, Form::exclusive>, 3 * 64>(n);
    }
}

TEST(RegisterScans, InPlaceAndWithThreadsToSpare) {
    expect_scan<KoggeStone<>, 128, Pure, PureSum, 256>(1000, true);
    expect_scan<KoggeStone<Form::exclusive>, 128, Pure, PureSum, 256>(1000);
    expect_scan<Raking<5, Form::exclusive>, 320, Pure, PureSum, 128>(1000, true);
}

}  // namespace
