// The seeded scan under shuffled schedules, and the cost of the seed.
#include "kernels/multi_gpu/scan_look_back_seeded.cuh"

#include <gtest/gtest.h>

#include "simt/simt.h"
#include "tests/device_vector.h"
#include "tests/kernels/elements.h"

namespace {

class SeededLookBack : public testing::Test {
   protected:
    void TearDown() override {
        simt::set_cores(2);
        simt::set_seed(0);
    }
};

/// Scan n elements in tiles of 96, seeded with the element before them. Returns the counts.
template <Form FORM, class T, class Op>
simt::Counters seeded_scan(std::size_t n, bool seeded = true) {
    const auto values = exact_elements<T>(n + 1, unsigned(n));
    const std::vector<T> part(values.begin() + 1, values.end());
    const auto expected = pure_oracle(seeded ? values : part, n + 2, FORM == Form::inclusive, Op{});
    DeviceVector<T> in(part), out(n);
    out.poison();
    DeviceVector<Prefix<T>> seed(std::vector<Prefix<T>>{{values[0], seeded}});
    SeededLookBackScan<T, simt::Counted<Op>, FORM, 3, 32> scan(static_cast<long long>(n));
    const auto counted = simt::record([&] {
        scan(in.data(), out.data(), static_cast<long long>(n), seed.data(), simt::Counted<Op>(Op{}), nullptr);
    });
    const auto found = out.read();
    for (std::size_t i = 0; i < n; ++i)
        if (!same(found[i], expected[i + seeded])) {
            ADD_FAILURE() << "element " << i;
            break;
        }
    return counted.total();
}

TEST_F(SeededLookBack, AnySchedule) {
    for (int seed = 0; seed < 200 && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        simt::set_cores(1 + seed % 2);
        simt::set_seed(std::uint64_t(seed));
        seeded_scan<Form::exclusive, Brackets, Bicyclic>(96 * 12 + 5);
        seeded_scan<Form::inclusive, Pure, PureSum>(96 * 3);
        seeded_scan<Form::exclusive, Pure, PureSum>(96 * 3, false);
    }
}

/// A seed adds operations to the first tile: one for its prefix, one for the first thread's first element,
/// and one for each other thread.
TEST_F(SeededLookBack, OneOperationPerThreadOfTheFirstTileAndOneMore) {
    simt::set_cores(1);
    for (const std::size_t n : {1, 2, 3, 50, 96, 97, 1000}) {
        SCOPED_TRACE("n " + std::to_string(n));
        const auto threads = std::int64_t(std::min<std::size_t>((n + 2) / 3, 32));
        const auto seeded = seeded_scan<Form::inclusive, int, Sum<int>>(n);
        const auto unseeded = seeded_scan<Form::inclusive, int, Sum<int>>(n, false);
        EXPECT_EQ(seeded.ops - unseeded.ops, 1 + threads);
        EXPECT_EQ(seeded.barriers, unseeded.barriers);
        EXPECT_EQ(seeded.global_load_sectors - unseeded.global_load_sectors, 1);
        EXPECT_EQ(seeded.global_store_sectors, unseeded.global_store_sectors);
    }
}

}  // namespace
