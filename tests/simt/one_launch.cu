// The reduction and the compaction of one launch each, whose blocks wait for one another: under any order of
// blocks, warps and lanes, on any number of cores; and what they move.
#include <gtest/gtest.h>

#include <iterator>

#include "kernels/fast/detail/compact_look_ahead.cuh"
#include "kernels/fast/reduce.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"
#include "tests/kernels/elements.h"

namespace {

class OneLaunch : public testing::Test {
   protected:
    void TearDown() override {
        simt::set_cores(2);
        simt::set_seed(0);
        simt::set_resident(16);
    }
};

/// trial.run() under so many orders.
template <class Trial>
void expect_any_order(Trial& trial, int orders) {
    for (int order = 0; order < orders && !testing::Test::HasFailure(); ++order) {
        SCOPED_TRACE("seed " + std::to_string(order));
        simt::set_cores(1 + order * 3 / orders);
        simt::set_seed(std::uint64_t(order));
        trial.run();
    }
}

/// Reductions on one workspace.
template <class T, class Op, class Policy>
class Reductions {
   public:
    explicit Reductions(std::size_t n)
        : values_(exact_elements<T>(n, unsigned(n))),
          expected_(pure_oracle(values_, n, true, Op{}).back()),
          in_(values_),
          out_(1) {}

    simt::Counters run() {
        out_.poison();
        const auto recording = simt::record(
            [&] { reduce_(in_.data(), out_.data(), static_cast<long long>(values_.size()), Op{}, nullptr); });
        EXPECT_TRUE(same(out_.read()[0], expected_));
        return recording.total();
    }

   private:
    std::vector<T> values_;
    T expected_;
    DeviceVector<T> in_, out_;
    WarpSharesReduction<T, Op, Policy> reduce_;
};

TEST_F(OneLaunch, ReductionInAnyOrder) {
    Reductions<Brackets, Bicyclic, WarpSharesPolicy<64, 1, 20, 1>> trial(64 * 60 + 5);
    expect_any_order(trial, 500);
    simt::set_resident(1);
    expect_any_order(trial, 50);
}
TEST_F(OneLaunch, ReductionOfFourWordsInAnyOrder) {
    Reductions<Affine<unsigned long long>, ComposeAffine<unsigned long long>, WarpSharesPolicy<32, 2, 70, 1>>
        trial(64 * 71 + 5);
    expect_any_order(trial, 200);
}
TEST_F(OneLaunch, ReductionNeverMeetsTheNeutralElement) {
    Reductions<Pure, PureSum, WarpSharesPolicy<96, 2, 9, 1>> trial(12'345);
    expect_any_order(trial, 100);
}

struct Asked {
    __host__ __device__ bool operator()(int value) const {
        simt::simt_operator();
        return value % 2 == 0;
    }
};
struct Even {
    bool operator()(int value) const { return value % 2 == 0; }
};

/// Compactions of integers on one workspace, in tiles of 128 elements.
template <int BLOCKS, int LOOKS>
class Compactions {
   public:
    static constexpr int TILE = 128;

    explicit Compactions(std::vector<int> values)
        : values_(std::move(values)), in_(values_), compact_(static_cast<long long>(values_.size())) {
        std::copy_if(values_.begin(), values_.end(), std::back_inserter(expected_), Even{});
    }

    simt::Counters run() {
        DeviceVector<int> out(expected_.size());
        DeviceVector<long long> kept(1);
        const auto recording = simt::record([&] {
            compact_(in_.data(), out.data(), kept.data(), static_cast<long long>(values_.size()), Asked{},
                     nullptr);
        });
        EXPECT_EQ(kept.read()[0], static_cast<long long>(expected_.size()));
        EXPECT_TRUE(out.read() == expected_);
        return recording.total();
    }

   private:
    std::vector<int> values_, expected_;
    DeviceVector<int> in_;
    LookAheadCompaction<int, Asked, LookAheadPolicy<32, 1, BLOCKS, 1, LOOKS>> compact_;
};

TEST_F(OneLaunch, CompactionInAThousandOrders) {
    Compactions<7, 1> trial(random_vector<int>(128 * 20 + 5, 1));
    expect_any_order(trial, 1000);
}
TEST_F(OneLaunch, CompactionOnOnePlace) {
    simt::set_resident(1);
    Compactions<7, 1> trial(random_vector<int>(128 * 20 + 5, 2));
    expect_any_order(trial, 100);
}
/// More tiles in flight than a warp looks at in one go, and blocks that find none.
TEST_F(OneLaunch, CompactionWithManyBlocks) {
    simt::set_resident(100);
    Compactions<90, 2> trial(random_vector<int>(128 * 100, 3));
    expect_any_order(trial, 60);
}

/// A warp's one full batch: the words of a lane one by one, then ROWS + 4 operations a lane.
TEST_F(OneLaunch, WorkOfABatch) {
    using Op = simt::Counted<Sum<int>>;
    Reductions<int, Op, WarpSharesPolicy<32, 1, 1, 1>> one(128);
    EXPECT_EQ(one.run().ops, 32 * (3 + 5));
    Reductions<int, Op, WarpSharesPolicy<32, 4, 1, 1>> four(4 * 128);
    EXPECT_EQ(four.run().ops, 32 * (4 * 3 + 8));
    Reductions<int, Op, WarpSharesPolicy<32, 32, 1, 1>> all(32 * 128);
    EXPECT_EQ(all.run().ops, 32 * (32 * 3 + 36));
}

TEST_F(OneLaunch, ReductionReadsOnceByWords) {
    constexpr int BLOCKS = 20, WARPS = 2, BATCHES = 3 * BLOCKS * WARPS, N = BATCHES * 4 * 128;
    Reductions<int, Sum<int>, WarpSharesPolicy<32 * WARPS, 4, BLOCKS, 1>> trial(N);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        simt::set_seed(seed);
        const auto counted = trial.run();
        EXPECT_EQ(counted.global_load_requests, N / 128);
        EXPECT_EQ(counted.global_load_sectors, N * 4 / 32);
        EXPECT_EQ(counted.global_store_requests, BLOCKS + 1 + 1);  // sums, *out, the next call's tickets
        EXPECT_EQ(counted.atomic_requests, BLOCKS);
        EXPECT_EQ(counted.barriers, 2 * BLOCKS + 1);
    }
}

TEST_F(OneLaunch, CompactionReadsAndAsksOnce) {
    constexpr int TILES = 40, BLOCKS = 7, N = TILES * 128;
    Compactions<BLOCKS, 3> trial(std::vector<int>(N, 2));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        simt::set_seed(seed);
        const auto counted = trial.run();
        EXPECT_EQ(counted.ops, N);
        EXPECT_EQ(counted.global_load_requests, N / 128);
        EXPECT_EQ(counted.global_load_sectors, N * 4 / 32);
        EXPECT_EQ(counted.global_store_sectors, N * 4 / 32 + TILES + 1 + 1);  // counts, *kept, tickets
        EXPECT_EQ(counted.atomic_requests, TILES + 2 * BLOCKS);
        EXPECT_EQ(counted.barriers, 2 * TILES + BLOCKS);
    }
}

}  // namespace
