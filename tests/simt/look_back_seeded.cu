// The seeded scan under any order of blocks, warps and lanes; and what the seed costs.
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

/// Scan all elements but the first behind the first, in tiles of 96: what that counts.
template <Form FORM, class T, class Op>
simt::Counters scan_behind_first(std::size_t n, bool seeded = true) {
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

TEST_F(SeededLookBack, AnyOrder) {
    for (int order = 0; order < 200 && !HasFailure(); ++order) {
        SCOPED_TRACE("seed " + std::to_string(order));
        simt::set_cores(1 + order % 2);
        simt::set_seed(std::uint64_t(order));
        scan_behind_first<Form::exclusive, Brackets, Bicyclic>(96 * 12 + 5);
        scan_behind_first<Form::inclusive, Pure, PureSum>(96 * 3);
        scan_behind_first<Form::exclusive, Pure, PureSum>(96 * 3, false);
    }
}

/// The prefix of tile 0, the first thread's first element, and the other threads' joins.
TEST_F(SeededLookBack, OneOperationAThreadOfTheFirstTileAndOneMore) {
    simt::set_cores(1);
    for (const std::size_t n : {1, 2, 3, 50, 96, 97, 1000}) {
        SCOPED_TRACE("n " + std::to_string(n));
        const auto threads = std::int64_t(std::min<std::size_t>((n + 2) / 3, 32));
        const auto with = scan_behind_first<Form::inclusive, int, Sum<int>>(n);
        const auto without = scan_behind_first<Form::inclusive, int, Sum<int>>(n, false);
        EXPECT_EQ(with.ops - without.ops, 1 + threads);
        EXPECT_EQ(with.barriers, without.barriers);
        EXPECT_EQ(with.global_load_sectors - without.global_load_sectors, 1);
        EXPECT_EQ(with.global_store_sectors, without.global_store_sectors);
    }
}

}  // namespace
