// The reduction with several elements per thread, for any length, with loads of one element and of four.
#include "kernels/textbook/device/reduce_items.cuh"

#include <gtest/gtest.h>

#include <numeric>

#include "kernels/operators.cuh"
#include "tests/device_vector.h"
#include "tests/kernels/elements.h"

namespace {

template <class T, int ITEMS_PER_THREAD, int WIDTH, int THREADS>
void expect_sums() {
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
    expect_sums<float, 1, 1, 256>();
    expect_sums<float, 2, 1, 32>();
    expect_sums<int, 16, 1, 64>();
    expect_sums<double, 5, 1, 128>();
}

TEST(ReduceItems, FourElementsALoad) {
    expect_sums<float, 4, 4, 256>();
    expect_sums<int, 8, 4, 32>();
    expect_sums<float, 16, 4, 1024>();
}

}  // namespace
