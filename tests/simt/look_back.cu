// Decoupled look-back under shuffled schedules and on any number of cores, and the data it moves.
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
void expect_correct(std::size_t n, int schedules) {
    Trial<T, Op, FORM> trial(n);
    for (int seed = 0; seed < schedules && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        simt::set_cores(1 + seed * 3 / schedules);
        simt::set_seed(std::uint64_t(seed));
        trial.run();
    }
}

TEST_F(LookBack, AThousandSchedules) {
    expect_correct<Brackets, Bicyclic, Form::exclusive>(96 * 20 + 5, 1000);
}

TEST_F(LookBack, ValuesOfOneToFourWords) {
    expect_correct<std::int8_t, Sum<std::int8_t>, Form::inclusive>(96 * 20 + 5, 100);
    expect_correct<Row, Append, Form::inclusive>(96 * 20 + 5, 100);
    expect_correct<Affine<unsigned long long>, ComposeAffine<unsigned long long>, Form::exclusive>(
        96 * 20 + 5, 300);
}

/// More resident tiles than the window of a warp holds.
TEST_F(LookBack, SeveralWindows) {
    simt::set_resident(100);
    expect_correct<Affine<unsigned>, ComposeAffine<unsigned>, Form::inclusive>(96 * 100, 60);
}

TEST_F(LookBack, OneResidentBlockSuffices) {
    simt::set_resident(1);
    expect_correct<Pure, PureSum, Form::exclusive>(96 * 20 + 5, 60);
}

/// In ascending order every tile finds its predecessor's prefix. Under other schedules it may find aggregates
/// and look further back. In both cases the vector is read once and written once.
TEST_F(LookBack, ReadsAndWritesOnce) {
    constexpr int TILES = 20, SECTORS = TILES * 96 * 4 / 32;
    Trial<int, Sum<int>, Form::inclusive> trial(96 * TILES);
    simt::set_cores(1);
    const auto one_core = trial.run();
    EXPECT_EQ(one_core.volatile_load_requests, TILES - 1);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        simt::set_cores(1 + int(seed / 10));
        simt::set_seed(seed);
        const auto counted = trial.run();
        EXPECT_EQ(counted.global_load_sectors, SECTORS);
        EXPECT_EQ(counted.global_store_sectors, SECTORS + 2 * TILES - 1);  // the first tile has no aggregate
        EXPECT_EQ(counted.atomic_requests, TILES);
        EXPECT_EQ(counted.barriers, one_core.barriers);
        EXPECT_EQ(counted.shared_load_wavefronts, one_core.shared_load_wavefronts);
    }
}

}  // namespace
