// The tree reduction with all three thread mappings, checked against a sequential sum.
#include <gtest/gtest.h>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/device/reduce_tiles.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"
#include "tests/device_vector.h"
#include "tests/kernels/oracle.h"

namespace {

template <class Algorithm, int TILE, class Map, class T, class Op>
std::vector<T> reduce(const std::vector<T>& values) {
    constexpr int THREADS = Algorithm::threads(TILE);
    const unsigned blocks = unsigned(ceil_div(values.size(), TILE));
    DeviceVector<T> in(values), sums(blocks);
    sums.poison();
    launch(reduce_tiles<Algorithm, TILE, THREADS, Map, T, Op>, blocks, THREADS, nullptr, in.data(),
           sums.data(), static_cast<long long>(values.size()), Op{});
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    return sums.read();
}

template <class Algorithm, int TILE, class Map, class T, class Op>
void expect_exact() {
    for (const int n : {1, 2, 3, 31, 32, 33, TILE - 1, TILE, TILE + 1, 3 * TILE + 17, 6 * TILE}) {
        if (n < 1) continue;
        const auto values = random_vector<T>(n, n);
        const auto sums = reduce<Algorithm, TILE, Map, T, Op>(values);
        const auto prefixes = scan_oracle(values, TILE, true, Op{});
        for (int tile = 0; tile * TILE < n; ++tile)
            ASSERT_TRUE(same(sums[tile], prefixes[std::min(n, (tile + 1) * TILE) - 1]))
                << "n " << n << ", tile " << tile;
    }
}

template <class A>
class Reduction : public testing::Test {};
using Algorithms = testing::Types<ReduceTree<Threads::spaced>, ReduceTree<Threads::contiguous>,
                                  ReduceTree<Threads::halving>>;
TYPED_TEST_SUITE(Reduction, Algorithms);

TYPED_TEST(Reduction, CommutativeOperators) {
    expect_exact<TypeParam, 512, Plain, int, Sum<int>>();
    expect_exact<TypeParam, 512, Padded<>, int, Max<int>>();
    expect_exact<TypeParam, 2, Plain, int, Sum<int>>();
    expect_exact<TypeParam, 2048, Swizzled, int, Sum<int>>();
}

TYPED_TEST(Reduction, Floats) {
    const int n = 3 * 1024 + 100;
    const auto values = random_vector<float>(n, 5);
    const auto sums = reduce<TypeParam, 1024, Plain, float, Sum<float>>(values);
    for (int tile = 0; tile < 4; ++tile) {
        double sum = 0, magnitudes = 0;
        for (int i = tile * 1024; i < std::min(n, (tile + 1) * 1024); ++i) {
            sum += values[i];
            magnitudes += std::fabs(values[i]);
        }
        EXPECT_LE(std::fabs(sums[tile] - sum), sum_bound<float>(10, magnitudes));
    }
}

TEST(ReductionOrder, TheTreeOfNeighboursPreservesIt) {
    expect_exact<ReduceTree<Threads::spaced>, 512, Plain, Brackets, Bicyclic>();
    expect_exact<ReduceTree<Threads::contiguous>, 512, Padded<>, Brackets, Bicyclic>();
    expect_exact<ReduceTree<Threads::contiguous>, 512, Plain, Affine<unsigned>, ComposeAffine<unsigned>>();
}

TEST(ReductionOrder, HalvingDoesNot) {
    using Map = Affine<unsigned>;
    using Op = ComposeAffine<unsigned>;
    const auto values = random_vector<Map>(4, 1);
    const Map expected = scan_oracle(values, 4, true, Op{}).back();
    EXPECT_TRUE(same(reduce<ReduceTree<Threads::contiguous>, 4, Plain, Map, Op>(values)[0], expected));
    EXPECT_FALSE(same(reduce<ReduceTree<Threads::halving>, 4, Plain, Map, Op>(values)[0], expected));
}

}  // namespace
