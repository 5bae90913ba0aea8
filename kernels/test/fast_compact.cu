// The ring of fast/select, with small tiles, in any order of blocks, warps and copies, and its calls from
// the host, with a GPU's tiles: every size of element, length, address and selected fraction.
// Runs for long: it begins first, so that no core is left idle at the end.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include "kernels/fast/select.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "experiments/harness/graph.h"
#include "kernels/test/owned.h"
#include "kernels/test/select_fraction.h"
#include "kernels/test/trial.h"

using namespace trial;

namespace {

constexpr SelectFraction FRACTIONS[] = {{1, 2}, {0, 1}, {1, 1}, {1, 1000}, {9, 10}};

/// compact(problem, keep) must select exactly the elements that satisfy keep, and write nothing else.
template <class T, class Compact>
void expect_selected(const Asked& asked, Compact compact) {
    std::mt19937 random(asked.seed);
    std::vector<T> values(asked.n), expected;
    for (T& value : values) value = Maker<T>::make(random);
    const SelectFraction keep = FRACTIONS[random() % std::size(FRACTIONS)];
    std::copy_if(values.begin(), values.end(), std::back_inserter(expected), keep);
    const auto selected = static_cast<long long>(expected.size());
    PlacedVector<T> in(values, asked.in_offset), out(selected, asked.out_offset);
    PlacedVector<long long> number(1, 0);

    machine::in_order(asked.seed, [&] {
        compact(CompactProblem<T>{in.data(), out.data(), number.data(), asked.n}, keep);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    });
    ASSERT_EQ(number.read()[0], selected) << asked;
    const std::vector<T> found = out.read();
    for (long long i = 0; i < selected; ++i) ASSERT_TRUE(same(found[i], expected[i])) << i << ", " << asked;
    ASSERT_TRUE(in.is_alone() && out.is_alone() && number.is_alone()) << asked;
}

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

template <class Case>
void expect(const Asked& asked, TrialWorkspace& workspace) {
    using T = typename Case::T;
    using Tiles = typename Case::Tiles;
    using Policy = typename Case::Policy;
    expect_ready(asked, workspace, true, [&](const Asked& a) {
        expect_selected<T>(a, [&](const CompactProblem<T>& problem, SelectFraction keep) {
            launch_ring<Tiles, CompactStages<Policy, Tiles>>(compact_ring<Policy, Tiles, T, SelectFraction>,
                                                             a.blocks, problem, workspace.words(), keep);
        });
    });
}

template <class Case>
class CompactRingOf : public testing::Test {};

using Affine8 = Affine<unsigned>;
using Affine16 = Affine<unsigned long long>;
using Cases = SomeThenOthers<
    testing::Types<Case<std::int8_t, true>, Case<std::int16_t, true, 48, 8>, Case<int, true, 48, 4>,
                   Case<double, true>, Case<Affine16, false>, Case<Row, false>, Case<Bytes<3>, false>>,
    testing::Types<Case<std::int16_t, true, 32>, Case<int, true>, Case<std::int16_t, true>,
                   Case<std::int8_t, true, 48, 4>, Case<int, true, 16>, Case<double, true, 48, 8>,
                   Case<Affine8, true>, Case<Affine8, false>, Case<Affine16, true>, Case<Bytes<4>, false>,
                   Case<Bytes<13>, false>>>;
TYPED_TEST_SUITE(CompactRingOf, Cases, );

constexpr int MOST_TILES = 24;

TYPED_TEST(CompactRingOf, Draws) { expect_draws<TypeParam, MOST_TILES>(20, expect<TypeParam>); }

/// More tiles than the look-ahead reads at once.
TYPED_TEST(CompactRingOf, ManyTiles) {
    expect_tiles<TypeParam>(TypeParam::Policy::Ahead::GROUP * 2 + 5, expect<TypeParam>);
}

/// Calls from the host, with the tiles and rings of a GPU.
template <class T>
class CompactionCalls : public testing::Test {
   protected:
    static constexpr long long TILE = CompactRingPolicy<T>::SMALLEST_TILE;
    FastCompaction<T, SelectFraction> compaction{300 * TILE};
};
using Called =
    SomeThenOthers<testing::Types<std::int8_t, Row>,
                   testing::Types<std::int16_t, int, double, Affine8, Affine16, Bytes<2>, Bytes<13>>>;
TYPED_TEST_SUITE(CompactionCalls, Called, );

TYPED_TEST(CompactionCalls, Lengths) {
    using T = TypeParam;
    constexpr long long TILE = TestFixture::TILE;
    ASSERT_EQ(this->compaction.status(), cudaSuccess);
    unsigned seed = first_seed() + 500;
    for (const long long n : {0LL, 1LL, 33LL, TILE - 1, TILE, TILE + 1, 4 * TILE,
                              machine::is_gpu() ? 300 * TILE - 5 : 140 * TILE + 1}) {
        Asked asked = draw<T>(seed++, 1, 1, alignof(T));
        asked.n = n;
        expect_selected<T>(asked, [&](const CompactProblem<T>& p, SelectFraction keep) {
            ASSERT_EQ(this->compaction(p.in, p.out, p.num_selected, p.n, keep, nullptr), cudaSuccess);
        });
        if (this->HasFatalFailure()) return;
    }
}

/// No synchronisation between calls, then a graph of three of them. The last call overwrites all that earlier
/// ones wrote.
TYPED_TEST(CompactionCalls, BackToBackAndInAGraph) {
    using T = TypeParam;
    const long long many = (machine::is_gpu() ? 150 : 7) * TestFixture::TILE + 9;
    Asked asked = draw<T>(first_seed() + 600, 1, 1, alignof(T));
    asked.n = many;
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    expect_selected<T>(asked, [&](const CompactProblem<T>& p, SelectFraction keep) {
        const auto call = [&](long long n) {
            EXPECT_EQ(this->compaction(p.in, p.out, p.num_selected, n, keep, stream), cudaSuccess);
        };
        for (int k = 0; k < 10; ++k) call(many * (10 - k) / 10);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        const harness::Graph graph(stream, [&] {
            for (const long long n : {many / 2, 0LL, many}) call(n);
        });
        for (int time = 0; time < 3; ++time) graph.launch();
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    });
    ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TYPED_TEST(CompactionCalls, ThatCannotBe) {
    DeviceVector<TypeParam> in(1), out(1);
    DeviceVector<long long> selected(1);
    const auto result_of = [&](long long n) {
        return this->compaction(in.data(), out.data(), selected.data(), n, SelectFraction{}, nullptr);
    };
    EXPECT_EQ(result_of(-1), cudaErrorInvalidValue);
    EXPECT_EQ(result_of(1LL << 40), cudaErrorInvalidValue);
}

/// Other tile and ring sizes, among them those of a GPU whose shared memory is small.
template <class Policy>
class CompactionWith : public testing::Test {};
template <class T_, int STAGES, unsigned LOADS_IN_FLIGHT, int BYTES, int UNIT_BYTES = 16>
struct Cut : CompactRingPolicy<T_, STAGES, LOADS_IN_FLIGHT, BYTES, UNIT_BYTES> {
    using T = T_;
};
using Cuts = SomeThenOthers<testing::Types<Cut<int, 5, 2, 48>, Cut<int, 7, 3, 80, 8>>,
                            testing::Types<Cut<int, 3, 1, 112>, Cut<int, 6, 3, 112, 4>, Cut<int, 6, 2, 128>,
                                           Cut<std::int8_t, 6, 3, 80, 4>, Cut<Row, 6, 3, 80>>>;
TYPED_TEST_SUITE(CompactionWith, Cuts, );

TYPED_TEST(CompactionWith, Lengths) {
    using T = typename TypeParam::T;
    constexpr long long TILE = TypeParam::SMALLEST_TILE, MOST = 140 * TILE;
    FastCompaction<T, SelectFraction, TypeParam> compaction(MOST);
    unsigned seed = first_seed() + 700;
    for (const long long n : {1LL, TILE - 1, TILE + 1, MOST - 3}) {
        Asked asked = draw<T>(seed++, 1, 1, alignof(T));
        asked.n = n;
        expect_selected<T>(asked, [&](const CompactProblem<T>& p, SelectFraction keep) {
            ASSERT_EQ(compaction(p.in, p.out, p.num_selected, p.n, keep, nullptr), cudaSuccess);
        });
        if (this->HasFatalFailure()) return;
    }
}

}  // namespace
