// Reductions of tiles, checked against a sequential sum: the tree with all three thread mappings; several
// elements a thread, loaded one by one or four at a time; adjacent words of 16 bytes a thread.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/block/reduce_words.cuh"
#include "kernels/textbook/device/reduce_items.cuh"
#include "kernels/textbook/device/reduce_tiles.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"

using namespace trial;

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

template <class T, int ITEMS_PER_THREAD, int WIDTH, int THREADS>
void expect_sum_of_items() {
    constexpr long long TILE = ITEMS_PER_THREAD * THREADS;
    for (const long long n :
         {1LL, 2LL, 31LL, 33LL, TILE - 1, TILE, TILE + 1, 3 * TILE + 5, TILE * TILE / 4 + 7}) {
        if (n < 1 || n > 200'000) continue;
        SCOPED_TRACE("n = " + std::to_string(n) + ", a tile of " + std::to_string(TILE));
        const auto values = exact_elements<T>(std::size_t(n), unsigned(n));
        DeviceVector<T> in(values), out(1);
        out.poison();
        ItemsReduction<T, Sum<T>, ITEMS_PER_THREAD, WIDTH, THREADS> reduce(n);
        ASSERT_EQ(reduce.status(), cudaSuccess);
        reduce(in.data(), out.data(), n, Sum<T>{}, nullptr);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
        EXPECT_EQ(out.read()[0], std::accumulate(values.begin(), values.end(), T(0)));
    }
}

TEST(ReduceItems, OneElementALoad) {
    expect_sum_of_items<float, 1, 1, 256>();
    expect_sum_of_items<int, 16, 1, 64>();
    expect_sum_of_items<double, 5, 1, 128>();
}

TEST(ReduceItems, FourElementsALoad) {
    expect_sum_of_items<float, 4, 4, 256>();
    expect_sum_of_items<int, 8, 4, 32>();
    expect_sum_of_items<float, 16, 4, 1024>();
}

/// Each sum combines its thread's elements in order, in three tiles.
template <class T, class Op, int WORDS, int THREADS>
void expect_sums_of_words() {
    constexpr int TILES = 3, ITEMS_PER_THREAD = WORDS * 16 / sizeof(T), SUMS = TILES * THREADS;
    const auto values = exact_elements<T>(SUMS * ITEMS_PER_THREAD, WORDS);
    DeviceVector<T> in(values), out(SUMS);
    out.poison();
    launch(reduce_words<WORDS, THREADS, T, Op>, TILES, THREADS, nullptr, static_cast<const T*>(in.data()),
           out.data(), Op{});
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    const auto found = out.read();
    for (int sum = 0; sum < SUMS; ++sum) {
        T expected = values[sum * ITEMS_PER_THREAD];
        for (int k = 1; k < ITEMS_PER_THREAD; ++k)
            expected = Op{}(expected, values[sum * ITEMS_PER_THREAD + k]);
        ASSERT_TRUE(same(found[sum], expected)) << "sum " << sum;
    }
}

TEST(ReduceWords, OddAndEvenNumbers) {
    expect_sums_of_words<int, Sum<int>, 1, 32>();
    expect_sums_of_words<int, Sum<int>, 7, 256>();
    expect_sums_of_words<std::int8_t, Sum<std::int8_t>, 6, 64>();
    expect_sums_of_words<double, Sum<double>, 5, 128>();
    expect_sums_of_words<Affine<unsigned>, ComposeAffine<unsigned>, 7, 64>();
}

}  // namespace
