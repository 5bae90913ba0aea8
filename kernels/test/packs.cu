// Copies and sums by packs: every length, any grid, and what the width of a load changes in the counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels/launch.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/test/machine.h"
#include "kernels/test/needs.h"
#include "kernels/textbook/device/copy_packs.cuh"
#include "kernels/textbook/device/reduce_packs.cuh"

using namespace trial;

namespace {

/// Around warps, and around one tile, and several for each of a few blocks.
std::vector<long long> lengths(long long tile) {
    return {0, 1, 2, 31, 32, 33, tile - 1, tile, tile + 1, 2 * tile - 1, 5 * tile + 7, 33'001};
}

template <class T, int WIDTH, int LOADS, int THREADS>
void expect_copies() {
    constexpr int BEHIND = 40;
    for (const unsigned blocks : {1, 3, 64}) {
        for (const long long n : lengths(WIDTH * LOADS * THREADS)) {
            const auto values = exact_elements<T>(n, unsigned(n + 1));
            DeviceVector<T> in(values), out(n + BEHIND);
            out.poison();
            auto expected = out.read();
            std::copy(values.begin(), values.end(), expected.begin());
            launch(copy_packs<WIDTH, LOADS, THREADS, T>, blocks, THREADS, nullptr,
                   static_cast<const T*>(in.data()), out.data(), n);
            ASSERT_EQ(cudaGetLastError(), cudaSuccess);
            const auto found = out.read();
            ASSERT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(T)), 0)
                << "n " << n << ", blocks " << blocks;
        }
    }
}

template <class T, int WIDTH, int LOADS, int THREADS>
void expect_sums() {
    for (const unsigned blocks : {1, 3, 64}) {
        for (const long long n : lengths(WIDTH * LOADS * THREADS)) {
            const auto values = exact_elements<T>(n, unsigned(n + 1));
            DeviceVector<T> in(values), out(std::vector<T>{7});
            launch(add_packs<WIDTH, LOADS, THREADS, T, Sum<T>>, blocks, THREADS, nullptr,
                   static_cast<const T*>(in.data()), out.data(), n, Sum<T>{});
            ASSERT_EQ(cudaGetLastError(), cudaSuccess);
            ASSERT_EQ(out.read()[0], std::accumulate(values.begin(), values.end(), T(7)))
                << "n " << n << ", blocks " << blocks;
        }
    }
}

TEST(CopyPacks, OneElementALoad) {
    expect_copies<unsigned char, 1, 1, 256>();
    expect_copies<short, 1, 8, 32>();
    expect_copies<float, 1, 4, 64>();
}

TEST(CopyPacks, SeveralElementsALoad) {
    expect_copies<unsigned char, 16, 2, 64>();
    expect_copies<float, 2, 8, 32>();
    expect_copies<float, 4, 4, 256>();
}

TEST(ReducePacks, OneElementALoad) {
    expect_sums<float, 1, 1, 256>();
    expect_sums<int, 1, 8, 32>();
}

TEST(ReducePacks, SeveralElementsALoad) {
    expect_sums<float, 4, 1, 64>();
    expect_sums<int, 2, 8, 32>();
    expect_sums<double, 2, 4, 128>();
    expect_sums<float, 4, 4, 256>();
}

/// All of a multiprocessor's threads, so that bytes in flight are as stated.
template <class Kernel>
void expect_full(Kernel kernel, int threads) {
    int blocks = 0;
    ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0), cudaSuccess);
    const int most = device_has(cudaDevAttrMaxThreadsPerMultiProcessor) / threads;
    EXPECT_GE(blocks, std::min(most, blocks_to_fill(threads)));
}

TEST(Packs, RegistersSufficeForFullOccupancy) {
    expect_full(copy_packs<4, 4, 256, float>, 256);
    expect_full(add_packs<4, 4, 256, float, Sum<float>>, 256);
}

TEST(Packs, WiderLoadsAreFewerRequestsToAsManySectors) {
    if (machine::is_gpu()) GTEST_SKIP() << "nothing is counted";
    constexpr int N = 1 << 12;
    const auto values = exact_elements<float>(N, 1);
    DeviceVector<float> in(values), out(N);
    const auto count = [&](auto copy) {
        return machine::count(
            [&] { launch(copy, 2, 64, nullptr, static_cast<const float*>(in.data()), out.data(), 1LL * N); });
    };
    const auto narrow = count(copy_packs<1, 4, 64, float>), wide = count(copy_packs<4, 1, 64, float>);
    EXPECT_EQ(narrow.global_load_requests, N / 32);
    EXPECT_EQ(wide.global_load_requests, N / 128);
    EXPECT_EQ(narrow.global_load_sectors, N / 8);
    EXPECT_EQ(wide.global_load_sectors, N / 8);
}

}  // namespace
