// The primitives built on reduction and scan do exactly the work that their files state: operations,
// launches, atomics, votes, sectors.
#include <gtest/gtest.h>

#include "kernels/predicates.cuh"
#include "kernels/textbook/device/compact.cuh"
#include "kernels/textbook/device/compact_atomic.cuh"
#include "kernels/textbook/device/radix_sort.cuh"
#include "kernels/textbook/device/reduce_atomic.cuh"
#include "kernels/textbook/device/reduce_last_block.cuh"
#include "kernels/textbook/device/reduce_recursive.cuh"
#include "kernels/textbook/device/run_length_decode.cuh"
#include "kernels/textbook/device/run_length_decode_atomic.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

using Op = simt::Counted<Sum<float>>;

/// Number of levels of the tree of tiles over n elements.
int levels(long long n, int tile) {
    int count = 1;
    for (; n > tile; n = ceil_div(n, tile)) ++count;
    return count;
}

TEST(Reductions, OneOperationForEachElementButTheFirst) {
    for (const long long n : {1, 2, 33, 1024, 1025, 70'001}) {
        SCOPED_TRACE("n = " + std::to_string(n));
        DeviceVector<float> in(std::vector<float>(n, 1)), out(1);

        RecursiveReduction<float, Op, 256> recursive(n);
        auto recording = simt::record([&] { recursive(in.data(), out.data(), n, Op{}, nullptr); });
        EXPECT_EQ(recording.total().ops, n - 1);
        EXPECT_EQ(recording.launches.size(), std::size_t(levels(n, 256)));

        LastBlockReduction<float, Op, 16> last_block;
        recording = simt::record([&] { last_block(in.data(), out.data(), n, Op{}, nullptr); });
        ASSERT_EQ(recording.launches.size(), 1u);
        EXPECT_EQ(recording.total().ops, n - 1);
        EXPECT_EQ(recording.total().atomic_requests, recording.launches[0].blocks);
        EXPECT_LE(recording.launches[0].blocks, 16u);

        recording = simt::record([&] { reduce_atomic<16>(in.data(), out.data(), n, Op{}, nullptr); });
        ASSERT_EQ(recording.launches.size(), 1u);
        const std::int64_t blocks = recording.launches[0].blocks;
        EXPECT_EQ(blocks, std::min<long long>(16, ceil_div(n, 256)));
        EXPECT_EQ(recording.total().ops, n - blocks);
        EXPECT_EQ(recording.total().atomic_requests, blocks);
    }
}

TEST(RakingReduction, BarriersAndNoBankConflicts) {
    constexpr long long n = 15 * 256;
    DeviceVector<float> in(std::vector<float>(n, 1)), out(1);
    LastBlockReduction<float, Op, 1> reduce;
    const auto launch = simt::record([&] { reduce(in.data(), out.data(), n, Op{}, nullptr); }).launches.at(0);
    // Two tiles are reduced: the elements, then their one sum. The barrier between them broadcasts which
    // block is last.
    EXPECT_EQ(launch.total.barriers, 2 * (4 + 8) + 1);
    EXPECT_EQ(launch.steps[1].bank_conflicts(), 0);  // the raking step
    EXPECT_EQ(launch.steps[1].shared_load_requests, 15 * 8);
}

TEST(Compaction, ReadsEachElementTwiceByScanAndOnceByCursor) {
    constexpr long long n = 5 * 2048, n_selected = n / 2;
    std::vector<int> values(n);
    for (long long i = 0; i < n; ++i) values[i] = int(i);
    DeviceVector<int> in(values), out(n_selected);
    DeviceVector<long long> selected(1);
    const Below<int> keep = {int(n_selected)};

    Compaction<int, Below<int>> compact(n);
    auto recording = simt::record([&] { compact(in.data(), out.data(), selected.data(), n, keep, nullptr); });
    ASSERT_EQ(recording.launches.size(), 3u);
    EXPECT_EQ(recording.launches[0].total.global_load_sectors, n / 8);
    EXPECT_EQ(recording.launches[0].total.global_store_sectors, 5);                   // a count per tile
    EXPECT_EQ(recording.launches[2].total.global_store_sectors, n_selected / 8 + 1);  // and *selected
    EXPECT_EQ(recording.total().atomic_requests, 0);

    const auto atomics = [&](auto compact) {
        const auto cursor = simt::record([&] { compact(); });
        EXPECT_EQ(cursor.launches.size(), 1u);
        EXPECT_EQ(cursor.total().global_load_sectors, n / 8);
        return cursor.total().atomic_requests;
    };
    EXPECT_EQ(atomics([&] {
                  compact_atomic<AggregatedBy::warp>(in.data(), out.data(), selected.data(), n, keep,
                                                     nullptr);
              }),
              n_selected / 32);
    EXPECT_EQ(atomics([&] {
                  compact_atomic<AggregatedBy::block>(in.data(), out.data(), selected.data(), n, keep,
                                                      nullptr);
              }),
              n / 2048);
}

TEST(RunLengthDecode, Launches) {
    constexpr long long runs = 3000;
    DeviceVector<int> values(std::vector<int>(runs, 7)), out(2 * runs);
    DeviceVector<long long> lengths(std::vector<long long>(runs, 2)), total(1);
    RunLengthDecode<int> decode(runs);
    auto recording = simt::record([&] {
        decode(values.data(), lengths.data(), runs, out.data(), {0, 2 * runs}, total.data(), nullptr);
    });
    EXPECT_EQ(recording.launches.size(), std::size_t(1 + 2 * levels(runs, 1024) - 1));
    recording = simt::record([&] {
        run_length_decode_atomic(values.data(), lengths.data(), runs, out.data(), 2 * runs, total.data(),
                                 nullptr);
    });
    EXPECT_EQ(recording.launches.size(), 1u);
    EXPECT_EQ(recording.total().atomic_requests, ceil_div(runs, 256));
}

template <int DIGIT_BITS>
void expect_passes(int passes) {
    constexpr long long n = 4 * 4096;
    std::vector<int> keys(n);
    for (long long i = 0; i < n; ++i) keys[i] = int(i * 2654435761u);
    DeviceVector<int> in(keys), out(n);
    RadixSort<int, NoPayload, DIGIT_BITS> sort(n);
    const auto recording = simt::record([&] { sort(in.data(), out.data(), n, nullptr); });
    const long long counts = (1 << DIGIT_BITS) * ceil_div(n, 4096);
    EXPECT_EQ(recording.launches.size(), std::size_t(passes * (2 + 2 * levels(counts, 1024) - 1)));
    EXPECT_EQ(recording.launches[0].total.global_load_sectors, n / 8);
    EXPECT_EQ(recording.total().votes, passes * (DIGIT_BITS + 1) * n / 32);
}
TEST(RadixSort, LaunchesAndVotes) {
    expect_passes<8>(4);
    expect_passes<5>(7);
    expect_passes<1>(32);
}

}  // namespace
