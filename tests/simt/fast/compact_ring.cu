// The ring of fast/compact under shuffled schedules of lanes, warps, blocks and copies: with small tiles, and
// calls of the host with a GPU's tiles and rings.
#include "kernels/fast/compact.cuh"

#include <algorithm>
#include <iterator>

#include "tests/kernels/select_fraction.h"
#include "tests/simt/fast/draws.h"

namespace {

template <int UNIT_BYTES_>
struct SmallRing {
    static constexpr int STAGES = 3, ARRIVALS = 1, UNIT_BYTES = UNIT_BYTES_;
    static constexpr unsigned LOADS_IN_FLIGHT = 2;
    using Sums = VersionedArray<unsigned>;
    using Ahead = LookAhead<unsigned, 2, 2, true, long long>;
};

/// IN_WORDS: see RingTiles.
template <class T_, bool IN_WORDS, int BYTES = 48, int UNIT_BYTES = 16>
struct Case {
    using T = T_;
    using Policy = SmallRing<UNIT_BYTES>;
    using Tiles = RingTiles<T, IN_WORDS, 64, BYTES, false>;
    static constexpr int ALIGN = IN_WORDS ? sizeof(T) : alignof(T);  ///< of the input vector, in bytes
};

/// compact(problem, keep) must select exactly the elements that satisfy keep, and write nothing else.
template <class T, class Compact>
void expect_selected(const Asked& asked, Compact compact) {
    std::mt19937 random(asked.seed);
    std::vector<T> values(asked.n), expected;
    for (T& value : values) value = Maker<T>::make(random);
    constexpr SelectFraction FRACTIONS[] = {{1, 2}, {0, 1}, {1, 1}, {1, 1000}, {9, 10}};
    const SelectFraction keep = FRACTIONS[random() % std::size(FRACTIONS)];
    std::copy_if(values.begin(), values.end(), std::back_inserter(expected), keep);
    const auto selected = static_cast<long long>(expected.size());
    PlacedVector<T> in(values, asked.in_offset), out(selected, asked.out_offset);
    PlacedVector<long long> number(1, 0);

    schedule(asked);
    try {
        compact(CompactProblem<T>{in.data(), out.data(), number.data(), asked.n}, keep);
    } catch (const simt::Fault& fault) {
        FAIL() << fault.what() << "; " << asked;
    }
    ASSERT_EQ(number.read()[0], selected) << asked;
    const std::vector<T> found = out.read();
    for (long long i = 0; i < selected; ++i) ASSERT_TRUE(same(found[i], expected[i])) << i << ", " << asked;
    ASSERT_TRUE(in.is_alone() && out.is_alone() && number.is_alone()) << asked;
}

template <class Case>
void expect(const Asked& asked, TrialWorkspace& workspace) {
    using T = typename Case::T;
    using Tiles = typename Case::Tiles;
    using Policy = typename Case::Policy;
    const unsigned version = workspace.version();
    expect_selected<T>(asked, [&](const CompactProblem<T>& problem, SelectFraction keep) {
        launch_ring<Tiles, CompactStages<Policy, Tiles>>(compact_ring<Policy, Tiles, T, SelectFraction>,
                                                         asked.blocks, problem, workspace.words(), keep);
    });
    ASSERT_EQ(workspace.version(), version + 1) << asked;
    ASSERT_EQ(workspace.tickets(), 0u) << asked;
    ASSERT_FALSE(workspace.have_overlapped()) << asked;
}

template <class Case>
class CompactRingOf : public OnStrictMachine {};

using Affine8 = Affine<unsigned>;
using Affine16 = Affine<unsigned long long>;
using Cases = SomeThenOthers<
    testing::Types<Case<std::int8_t, true>, Case<std::int16_t, true, 32>, Case<std::int16_t, true, 48, 8>,
                   Case<int, true>, Case<int, true, 48, 4>, Case<double, true>, Case<Affine16, false>,
                   Case<Row, false>, Case<Bytes<3>, false>>,
    testing::Types<Case<std::int16_t, true>, Case<std::int8_t, true, 48, 4>, Case<int, true, 16>,
                   Case<double, true, 48, 8>, Case<Affine8, true>, Case<Affine8, false>, Case<Affine16, true>,
                   Case<Bytes<4>, false>, Case<Bytes<13>, false>>>;
TYPED_TEST_SUITE(CompactRingOf, Cases, );

constexpr int MOST_TILES = 24;

TYPED_TEST(CompactRingOf, Draws) { Draws<TypeParam, MOST_TILES>::on_one_core(12, expect<TypeParam>); }

TYPED_TEST(CompactRingOf, DrawsOnTwoCores) {
    Draws<TypeParam, MOST_TILES>::on_two_cores(3, 3, expect<TypeParam>);
}

/// More tiles than the look-ahead reads at once.
TYPED_TEST(CompactRingOf, ManyTiles) {
    Draws<TypeParam, MOST_TILES>::of_tiles(TypeParam::Policy::Ahead::GROUP * 2 + 5, expect<TypeParam>);
}

/// Calls from the host, with the tiles and rings of a GPU of 3 multiprocessors.
template <class T>
class CompactionCalls : public OnStrictMachine {
   protected:
    static constexpr long long TILE = CompactRingPolicy<T>::SMALLEST_TILE, MOST = 4 * TILE;
    void SetUp() override {
        OnStrictMachine::SetUp();
        simt::set_device({3});
    }

    /// A call for n elements, and its launches.
    static std::vector<simt::Launch> expect(FastCompaction<T, SelectFraction>& compaction, long long n,
                                            unsigned seed) {
        Asked asked = draw<T>(first_seed() + seed, 1, 1, alignof(T));
        asked.n = n;
        simt::Recording recording;
        expect_selected<T>(asked, [&](const CompactProblem<T>& p, SelectFraction keep) {
            recording = record_without_warning([&] {
                ASSERT_EQ(compaction(p.in, p.out, p.num_selected, p.n, keep, nullptr), CallResult::success);
            });
        });
        return recording.launches;
    }
};
using Called = SomeThenOthers<testing::Types<std::int8_t, Row>, testing::Types<int, Affine8>>;
TYPED_TEST_SUITE(CompactionCalls, Called, );

TYPED_TEST(CompactionCalls, Lengths) {
    FastCompaction<TypeParam, SelectFraction> compaction(this->MOST);
    ASSERT_EQ(compaction.status(), cudaSuccess);
    unsigned seed = 500;
    for (const long long n : {0LL, 1LL, this->TILE - 1, this->TILE + 1, this->MOST}) {
        const auto launches = this->expect(compaction, n, seed++);
        if (this->HasFatalFailure()) return;
        ASSERT_EQ(launches.size(), n > 0 ? 1u : 0u);
        if (n > 0) {
            EXPECT_EQ(launches[0].kernel.rfind("compact_ring<", 0), 0u) << launches[0].kernel;
            EXPECT_LE(launches[0].blocks, 3u);
        }
    }
}

/// By a smaller ring, and without bulk copies. The machine refuses what a block's shared memory cannot hold.
TYPED_TEST(CompactionCalls, OtherGpus) {
    unsigned seed = 600;
    for (const simt::Device& device : {simt::Device{3, 120, 99 * 1024}, simt::Device{3, 80, 163 * 1024}}) {
        simt::set_device(device);
        FastCompaction<TypeParam, SelectFraction> compaction(this->MOST);
        for (const long long n : {0LL, 1LL, this->MOST}) {
            const auto launches = this->expect(compaction, n, seed++);
            if (this->HasFatalFailure()) return;
            if (n == 0) continue;
            ASSERT_EQ(launches.size(), 1u);
            EXPECT_EQ(launches[0].kernel.rfind("compact_ring<", 0) == 0, device.architecture >= 90)
                << launches[0].kernel;
        }
    }
}

TYPED_TEST(CompactionCalls, ThatCannotBe) {
    FastCompaction<TypeParam, SelectFraction> compaction(100);
    DeviceVector<TypeParam> in(1), out(1);
    DeviceVector<long long> selected(1);
    const auto result_of = [&](long long n) {
        return compaction(in.data(), out.data(), selected.data(), n, SelectFraction{}, nullptr);
    };
    const auto recording = simt::record([&] {
        EXPECT_EQ(result_of(-1), CallResult::negative_length);
        EXPECT_EQ(result_of(1LL << 40), CallResult::workspace_too_small);
        simt::Device other;
        other.number = 1;
        simt::set_device(other);
        EXPECT_EQ(result_of(1), CallResult::workspace_of_other_device);
    });
    EXPECT_TRUE(recording.launches.empty());
}

}  // namespace
