// Scans of segments of several tiles, by each exchange of the sums, of an operator that does not commute, and
// of which T{} is not the neutral element.
#include <gtest/gtest.h>

#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/test/machine.h"
#include "kernels/test/needs.h"
#include "kernels/textbook/device/scan_by_exchange.cuh"

using namespace trial;

namespace {

/// Tiles of 192 elements, of two warps.
template <Exchange EXCHANGE>
void expect_segments(std::size_t length, std::size_t segments, bool in_place, int cluster = 1) {
    using T = Affine<unsigned>;
    using Op = ComposeAffine<unsigned>;
    using Scan = ExchangeScan<T, Op, EXCHANGE, 3, 64>;
    const std::size_t n = length * segments;
    const auto values = exact_elements<T>(n, unsigned(n));
    DeviceVector<T> in(values, n % 3), out(n, n % 5);
    out.poison();
    DeviceVector<T>& target = in_place ? in : out;
    Scan scan(length, segments, cluster);
    ASSERT_EQ(scan.status(), cudaSuccess);
    ASSERT_EQ(scan(in.data(), target.data(), Op{}, nullptr), cudaSuccess);
    const auto found = target.read(), expected = pure_oracle(values, length, true, Op{});
    for (std::size_t i = 0; i < n; ++i)
        ASSERT_TRUE(same(found[i], expected[i])) << length << " x " << segments << ", element " << i;
}

constexpr std::size_t TILE = 192;
const std::size_t LENGTHS[] = {
    1, 31, 32, 33, TILE - 1, TILE, TILE + 1, 5 * TILE + 7, 8 * TILE, 16 * TILE - 1, 16 * TILE};

TEST(ScanByExchange, BetweenLaunches) {
    for (const std::size_t length : LENGTHS)
        expect_segments<Exchange::between_launches>(length, 3, length % 2);
    expect_segments<Exchange::between_launches>(70 * TILE + 1, 2, false);
}
TEST(ScanByExchange, ByLookBack) {
    machine::in_orders(3, [] {
        for (const std::size_t length : LENGTHS)
            expect_segments<Exchange::by_look_back>(length, 3, length % 2);
        expect_segments<Exchange::by_look_back>(70 * TILE + 1, 2, false);
    });
}
TEST(ScanByExchange, InCluster) {
    NEEDS_ARCHITECTURE(90, "a cluster");
    machine::in_orders(3, [] {
        for (const std::size_t length : LENGTHS) expect_segments<Exchange::in_cluster>(length, 3, length % 2);
    });
}
TEST(ScanByExchange, InClusters) {
    NEEDS_ARCHITECTURE(90, "a cluster");
    machine::in_orders(3, [] {
        for (const int cluster : {2, 8, 16})
            for (const int clusters : {1, 2, 5})
                for (const int last : {0, 1, 40, int(TILE)})  // elements that lack in the last tile
                    expect_segments<Exchange::in_clusters>(cluster * clusters * TILE - last, 2, last % 2,
                                                           cluster);
    });
}

}  // namespace
