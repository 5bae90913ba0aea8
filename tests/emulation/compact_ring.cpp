// The ring of fast/compact under the emulator: adversarial schedules of warps, blocks and copies with small
// tiles, and host calls with a GPU's tiles and rings.
#include "kernels/fast/compact.cuh"

#include <algorithm>
#include <iterator>

#include "tests/emulation/scan_trial.h"
#include "tests/kernels/select_fraction.h"

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
    PlacedVector<T> in(asked.n, asked.in_offset), out(selected, asked.out_offset);
    PlacedVector<long long> number(1, 0);
    std::memcpy(static_cast<void*>(in.data()), values.data(), asked.n * sizeof(T));

    try {
        compact(CompactProblem<T>{in.data(), out.data(), number.data(), asked.n}, keep);
    } catch (const emulation::Fault& fault) {
        FAIL() << fault.what() << "; " << asked;
    }
    ASSERT_EQ(*number.data(), selected) << asked;
    for (long long i = 0; i < selected; ++i)
        ASSERT_TRUE(same(out.data()[i], expected[i])) << i << ", " << asked;
    ASSERT_TRUE(in.is_alone() && out.is_alone() && number.is_alone()) << asked;
}

template <class Case>
void expect(const Asked& asked, TrialWorkspace& workspace) {
    using T = typename Case::T;
    using Tiles = typename Case::Tiles;
    using Policy = typename Case::Policy;
    const unsigned version = workspace.version();
    expect_selected<T>(asked, [&](const CompactProblem<T>& problem, SelectFraction keep) {
        const auto tiles = static_cast<unsigned>(Tiles(problem.in, problem.n).count());
        const emulation::Extent extent = {std::min(asked.blocks, tiles), ring_threads<Tiles>(),
                                          sizeof(CompactStages<Policy, Tiles>)};
        emulation::run(extent, {asked.seed, asked.resident}, [&] {
            compact_ring<Policy, Tiles, T, SelectFraction>(problem, workspace.words(), keep);
        });
    });
    ASSERT_EQ(workspace.version(), version + 1) << asked;
    ASSERT_EQ(workspace.tickets(), 0u) << asked;
}

template <class Case>
class CompactRingOf : public testing::Test {};

using Affine8 = Affine<unsigned>;
using Affine16 = Affine<unsigned long long>;
using Cases =
    testing::Types<Case<std::int8_t, true>, Case<std::int16_t, true>, Case<std::int16_t, true, 32>,
                   Case<std::int16_t, true, 48, 8>, Case<std::int8_t, true, 48, 4>, Case<int, true>,
                   Case<int, true, 16>, Case<int, true, 48, 4>, Case<double, true, 48, 8>, Case<double, true>,
                   Case<Affine8, true>, Case<Affine8, false>, Case<Affine16, true>, Case<Affine16, false>,
                   Case<Row, false>, Case<Bytes<3>, false>, Case<Bytes<4>, false>, Case<Bytes<13>, false>>;
TYPED_TEST_SUITE(CompactRingOf, Cases, );

constexpr unsigned DRAWS = 90;
constexpr int MOST_TILES = 40;

/// All draws share one workspace, whose versions wrap around half-way.
TYPED_TEST(CompactRingOf, Draws) {
    const unsigned version = 0u - DRAWS / 2;
    TrialWorkspace workspace(MOST_TILES + 1, version, version);
    for (unsigned k = 0; k < DRAWS; ++k) {
        expect<TypeParam>(draw<typename TypeParam::T>(first_seed() + k, TypeParam::Tiles::TILE, MOST_TILES,
                                                      TypeParam::ALIGN),
                          workspace);
        if (this->HasFatalFailure()) return;
    }
}

/// More tiles than the look-ahead reads at once.
TYPED_TEST(CompactRingOf, ManyTiles) {
    constexpr int TILES = TypeParam::Policy::Ahead::GROUP * 2 * 2 + 5;
    TrialWorkspace workspace(TILES + 1);
    Asked asked =
        draw<typename TypeParam::T>(first_seed() + 100, TypeParam::Tiles::TILE, 1, TypeParam::ALIGN);
    asked.n = TILES * TypeParam::Tiles::TILE - 1;
    expect<TypeParam>(asked, workspace);
}

/// Calls from the host, with the tiles and rings of a GPU.
template <class T>
class CompactionCalls : public testing::Test {
   protected:
    static constexpr long long TILE = CompactRingPolicy<T>::SMALLEST_TILE, MOST = 5 * TILE;
    void SetUp() override { emulation::gpu = {}; }
    void TearDown() override { emulation::gpu = {}; }
};
using Called = testing::Types<std::int8_t, int, Row, Affine8>;
TYPED_TEST_SUITE(CompactionCalls, Called, );

TYPED_TEST(CompactionCalls, Lengths) {
    RingCompaction<TypeParam, SelectFraction> compaction(this->MOST);
    ASSERT_EQ(compaction.status(), cudaSuccess);
    unsigned seed = first_seed() + 500;
    for (const long long n :
         {0LL, 1LL, this->TILE - 1, this->TILE, this->TILE + 1, this->MOST - 100, this->MOST}) {
        Asked asked = draw<TypeParam>(seed++, 1, 1, alignof(TypeParam));
        asked.n = n;
        emulation::gpu.schedule = {asked.seed, asked.resident};
        const int before = emulation::gpu.launches;
        expect_selected<TypeParam>(asked, [&](const CompactProblem<TypeParam>& p, SelectFraction keep) {
            compaction(p.in, p.out, p.num_selected, p.n, keep, nullptr);
        });
        if (this->HasFatalFailure()) return;
        EXPECT_EQ(emulation::gpu.launches - before, n > 0 ? 1 : 0);
    }
}

TYPED_TEST(CompactionCalls, OlderGpus) {
    emulation::gpu.ptx_version = 80;
    EXPECT_EQ((RingCompaction<TypeParam, SelectFraction>(100).status()), cudaErrorNotSupported);
}

}  // namespace
