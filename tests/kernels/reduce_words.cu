// The reduction in which each thread owns adjacent words of 16 bytes.
#include "kernels/textbook/block/reduce_words.cuh"

#include <gtest/gtest.h>

#include "kernels/launch.cuh"
#include "tests/device_vector.h"
#include "tests/kernels/elements.h"

namespace {

/// Each sum combines its thread's elements in order, in three tiles.
template <class T, class Op, int WORDS, int THREADS>
void expect_sums() {
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
    expect_sums<int, Sum<int>, 1, 32>();
    expect_sums<int, Sum<int>, 7, 256>();
    expect_sums<int, Sum<int>, 8, 256>();
    expect_sums<std::int8_t, Sum<std::int8_t>, 6, 64>();
    expect_sums<double, Sum<double>, 5, 128>();
    expect_sums<Affine<unsigned>, ComposeAffine<unsigned>, 7, 64>();
}

}  // namespace
