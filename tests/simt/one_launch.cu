// The single-launch reduction and compaction, whose blocks wait for one another, under shuffled schedules and
// on any number of cores, and the data they move.
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

/// Call trial.run() under this many schedules.
template <class Trial>
void run_under(Trial& trial, int schedules) {
    for (int seed = 0; seed < schedules && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        simt::set_cores(1 + seed * 3 / schedules);
        simt::set_seed(std::uint64_t(seed));
        trial.run();
    }
}

/// Reductions with one workspace.
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
    WarpChunksReduction<T, Op, Policy> reduce_;
};

TEST_F(OneLaunch, ReductionUnderAnySchedule) {
    Reductions<Brackets, Bicyclic, WarpChunksPolicy<64, 1, 20, 1>> trial(64 * 60 + 5);
    run_under(trial, 500);
    simt::set_resident(1);
    run_under(trial, 50);
}
TEST_F(OneLaunch, ReductionOfFourWordsUnderAnySchedule) {
    Reductions<Affine<unsigned long long>, ComposeAffine<unsigned long long>, WarpChunksPolicy<32, 2, 70, 1>>
        trial(64 * 71 + 5);
    run_under(trial, 200);
}
TEST_F(OneLaunch, ReductionNeverCombinesTheIdentity) {
    Reductions<Pure, PureSum, WarpChunksPolicy<96, 2, 9, 1>> trial(12'345);
    run_under(trial, 100);
}

struct CountedEven {
    __host__ __device__ bool operator()(int value) const {
        simt::simt_operator();
        return value % 2 == 0;
    }
};
struct Even {
    bool operator()(int value) const { return value % 2 == 0; }
};

/// Compactions of integers with one workspace, in tiles of 128 elements.
template <int BLOCKS, int COUNTS_PER_LANE>
class Compactions {
   public:
    static constexpr int TILE = 128;

    explicit Compactions(std::vector<int> values)
        : values_(std::move(values)), in_(values_), compact_(static_cast<long long>(values_.size())) {
        std::copy_if(values_.begin(), values_.end(), std::back_inserter(expected_), Even{});
    }

    simt::Counters run() {
        DeviceVector<int> out(expected_.size());
        DeviceVector<long long> selected(1);
        const auto recording = simt::record([&] {
            compact_(in_.data(), out.data(), selected.data(), static_cast<long long>(values_.size()),
                     CountedEven{}, nullptr);
        });
        EXPECT_EQ(selected.read()[0], static_cast<long long>(expected_.size()));
        EXPECT_TRUE(out.read() == expected_);
        return recording.total();
    }

   private:
    std::vector<int> values_, expected_;
    DeviceVector<int> in_;
    LookAheadCompaction<int, CountedEven, LookAheadPolicy<32, 1, BLOCKS, 1, COUNTS_PER_LANE>> compact_;
};

TEST_F(OneLaunch, CompactionUnderAThousandSchedules) {
    Compactions<7, 1> trial(random_vector<int>(128 * 20 + 5, 1));
    run_under(trial, 1000);
}
TEST_F(OneLaunch, CompactionWithOneResidentBlock) {
    simt::set_resident(1);
    Compactions<7, 1> trial(random_vector<int>(128 * 20 + 5, 2));
    run_under(trial, 100);
}
/// More resident tiles than the window of a warp holds, and blocks that get no tile.
TEST_F(OneLaunch, CompactionWithManyBlocks) {
    simt::set_resident(100);
    Compactions<90, 2> trial(random_vector<int>(128 * 100, 3));
    run_under(trial, 60);
}

/// One full batch of a warp: each lane combines its words one by one, then applies ROWS + 4 operations.
TEST_F(OneLaunch, WorkOfABatch) {
    using Op = simt::Counted<Sum<int>>;
    Reductions<int, Op, WarpChunksPolicy<32, 1, 1, 1>> one(128);
    EXPECT_EQ(one.run().ops, 32 * (3 + 5));
    Reductions<int, Op, WarpChunksPolicy<32, 4, 1, 1>> four(4 * 128);
    EXPECT_EQ(four.run().ops, 32 * (4 * 3 + 8));
    Reductions<int, Op, WarpChunksPolicy<32, 32, 1, 1>> all(32 * 128);
    EXPECT_EQ(all.run().ops, 32 * (32 * 3 + 36));
}

TEST_F(OneLaunch, ReductionReadsOnceByWords) {
    constexpr int BLOCKS = 20, WARPS = 2, BATCHES = 3 * BLOCKS * WARPS, N = BATCHES * 4 * 128;
    Reductions<int, Sum<int>, WarpChunksPolicy<32 * WARPS, 4, BLOCKS, 1>> trial(N);
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

TEST_F(OneLaunch, CompactionReadsAndEvaluatesThePredicateOnce) {
    constexpr int TILES = 40, BLOCKS = 7, N = TILES * 128;
    Compactions<BLOCKS, 3> trial(std::vector<int>(N, 2));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        simt::set_seed(seed);
        const auto counted = trial.run();
        EXPECT_EQ(counted.ops, N);
        EXPECT_EQ(counted.global_load_requests, N / 128);
        EXPECT_EQ(counted.global_load_sectors, N * 4 / 32);
        EXPECT_EQ(counted.global_store_sectors, N * 4 / 32 + TILES + 1 + 1);  // counts, *selected, tickets
        EXPECT_EQ(counted.atomic_requests, TILES + 2 * BLOCKS);
        EXPECT_EQ(counted.barriers, 2 * TILES + BLOCKS);
    }
}

}  // namespace
