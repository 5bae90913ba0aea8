// Decoupled look-back under any order of blocks, warps and lanes, on any number of cores; and what it moves.
#include "kernels/textbook/device/scan_look_back.cuh"

#include <gtest/gtest.h>

#include "simt/simt.h"
#include "tests/device_vector.h"
#include "tests/kernels/elements.h"

namespace {

class LookBack : public testing::Test {
   protected:
    void TearDown() override {
        simt::set_cores(2);
        simt::set_seed(0);
        simt::set_resident(16);
    }
};

/// A scan in tiles of 96 elements.
template <class T, class Op, Form FORM>
class Trial {
   public:
    explicit Trial(std::size_t n)
        : values_(exact_elements<T>(n, unsigned(n))),
          expected_(pure_oracle(values_, n, FORM == Form::inclusive, Op{})),
          in_(values_),
          out_(n),
          scan_(static_cast<long long>(n)) {}

    simt::Counters run() {
        out_.poison();
        const auto recording = simt::record(
            [&] { scan_(in_.data(), out_.data(), static_cast<long long>(values_.size()), Op{}, nullptr); });
        const auto found = out_.read();
        for (std::size_t i = 0; i < found.size(); ++i)
            if (!same(found[i], expected_[i])) {
                ADD_FAILURE() << "element " << i;
                break;
            }
        return recording.total();
    }

   private:
    std::vector<T> values_, expected_;
    DeviceVector<T> in_, out_;
    LookBackScan<T, Op, FORM, 3, 32> scan_;
};

template <class T, class Op, Form FORM>
void expect_any_order(std::size_t n, int orders) {
    Trial<T, Op, FORM> trial(n);
    for (int order = 0; order < orders && !testing::Test::HasFailure(); ++order) {
        SCOPED_TRACE("seed " + std::to_string(order));
        simt::set_cores(1 + order * 3 / orders);
        simt::set_seed(std::uint64_t(order));
        trial.run();
    }
}

TEST_F(LookBack, AThousandOrders) {
    expect_any_order<Brackets, Bicyclic, Form::exclusive>(96 * 20 + 5, 1000);
}

TEST_F(LookBack, ValuesOfOneToFourWords) {
    expect_any_order<std::int8_t, Sum<std::int8_t>, Form::inclusive>(96 * 20 + 5, 100);
    expect_any_order<Row, Append, Form::inclusive>(96 * 20 + 5, 100);
    expect_any_order<Affine<unsigned long long>, ComposeAffine<unsigned long long>, Form::exclusive>(
        96 * 20 + 5, 300);
}

/// More tiles in flight than a warp looks at in one go.
TEST_F(LookBack, WindowAfterWindow) {
    simt::set_resident(100);
    expect_any_order<Affine<unsigned>, ComposeAffine<unsigned>, Form::inclusive>(96 * 100, 60);
}

TEST_F(LookBack, OnePlaceIsEnough) {
    simt::set_resident(1);
    expect_any_order<Pure, PureSum, Form::exclusive>(96 * 20 + 5, 60);
}

/// In the order of the tiles every one finds the prefix of the one before. Otherwise it may find aggregates
/// and look further back; the vector is read and written once all the same.
TEST_F(LookBack, ReadsAndWritesOnce) {
    constexpr int TILES = 20, SECTORS = TILES * 96 * 4 / 32;
    Trial<int, Sum<int>, Form::inclusive> trial(96 * TILES);
    simt::set_cores(1);
    const auto alone = trial.run();
    EXPECT_EQ(alone.volatile_load_requests, TILES - 1);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        simt::set_cores(1 + int(seed / 10));
        simt::set_seed(seed);
        const auto counted = trial.run();
        EXPECT_EQ(counted.global_load_sectors, SECTORS);
        EXPECT_EQ(counted.global_store_sectors, SECTORS + 2 * TILES - 1);  // the first tile has no aggregate
        EXPECT_EQ(counted.atomic_requests, TILES);
        EXPECT_EQ(counted.barriers, alone.barriers);
        EXPECT_EQ(counted.shared_load_wavefronts, alone.shared_load_wavefronts);
    }
}

}  // namespace
