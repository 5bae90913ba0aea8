// fast/detail/scan_ring under shuffled schedules of lanes, warps, blocks and copies, with small tiles.
#include "kernels/fast/detail/scan_ring.cuh"

#include "kernels/fast/detail/scan_ring_variants.cuh"
#include "tests/simt/fast/draws.h"
#include "tests/simt/fast/marked.h"

namespace {

template <class T>
struct Policy {
    static constexpr int STAGES = 3, ARRIVALS = 1, TILES_PER_LANE = sizeof(T) <= 4 ? 2 : 1, GROUPS = 2;
    static constexpr unsigned LOADS_IN_FLIGHT = 2;
    using Sums = VersionedArray<T>;
    using Ahead = LookAhead<T, TILES_PER_LANE, GROUPS>;
};

/// With decoupled look-back in place of the look-ahead, see fast/detail/scan_ring_variants.
template <class T>
struct Chained : Policy<T> {
    using Sums = ChainArray<T>;
    using Ahead = Chain<T>;
};

/// IN_WORDS: see RingTiles.
template <class T_, class Op_, bool IN_WORDS, class Policy_ = Policy<T_>>
struct Case {
    using T = T_;
    using Op = Op_;
    using Policy = Policy_;
    using Tiles = RingTiles<T, IN_WORDS, 64, 48>;
    static constexpr int ALIGN = IN_WORDS ? sizeof(T) : alignof(T);  ///< of the input vector, in bytes
};

template <class Case, Form FORM>
void run(const ScanProblem<typename Case::T>& problem, const Asked& asked, const VersionedWords& words) {
    using T = typename Case::T;
    using Op = typename Case::Op;
    using Policy = typename Case::Policy;
    using Tiles = typename Case::Tiles;
    launch_ring<Tiles, Ring<Policy, Tiles, T>>(scan_ring<Policy, FORM, Tiles, T, Op>, asked.blocks, problem,
                                               words, Op{});
}

template <class Case>
void expect(const Asked& asked, TrialWorkspace& workspace) {
    using T = typename Case::T;
    expect_scan<T, typename Case::Op>(asked, workspace, true, [&](const ScanProblem<T>& problem) {
        asked.form == Form::inclusive ? run<Case, Form::inclusive>(problem, asked, workspace.words())
                                      : run<Case, Form::exclusive>(problem, asked, workspace.words());
    });
    ASSERT_EQ(no_elements(), 0) << asked;
}

template <class Case>
class RingOf : public OnStrictMachine {};

using Affine8 = Affine<unsigned>;
using Affine16 = Affine<unsigned long long>;
using Cases =
    SomeThenOthers<testing::Types<Case<std::int8_t, Sum<std::int8_t>, true>, Case<double, Sum<double>, true>,
                                  Case<Affine8, ComposeAffine<unsigned>, false>,
                                  Case<Affine16, ComposeAffine<unsigned long long>, true>,
                                  Case<Bytes<3>, JoinBytes<3>, false>, Case<Marked, MarkedSum, true>,
                                  Case<Marked, MarkedSum, false>,
                                  Case<Affine8, ComposeAffine<unsigned>, true, Chained<Affine8>>>,
                   testing::Types<Case<int, Sum<int>, true>, Case<Affine8, ComposeAffine<unsigned>, true>,
                                  Case<Affine16, ComposeAffine<unsigned long long>, false>,
                                  Case<Row, Append, false>, Case<Bytes<13>, JoinBytes<13>, false>,
                                  Case<Pure, PureSum, true>, Case<Pure, PureSum, false>,
                                  Case<std::int8_t, Sum<std::int8_t>, true, Chained<std::int8_t>>,
                                  Case<Affine8, ComposeAffine<unsigned>, false, Chained<Affine8>>>>;
TYPED_TEST_SUITE(RingOf, Cases, );

constexpr int MOST_TILES = 24;

TYPED_TEST(RingOf, Draws) { Draws<TypeParam, MOST_TILES>::on_one_core(20, expect<TypeParam>); }

TYPED_TEST(RingOf, DrawsOnTwoCores) { Draws<TypeParam, MOST_TILES>::on_two_cores(4, 3, expect<TypeParam>); }

/// More tiles than the look-ahead reads at once.
TYPED_TEST(RingOf, ManyTiles) {
    constexpr int TILES = 32 * TypeParam::Policy::TILES_PER_LANE * TypeParam::Policy::GROUPS + 5;
    Draws<TypeParam, MOST_TILES>::of_tiles(TILES, expect<TypeParam>);
}

/// Statuses written 2^32 calls ago must not be mistaken for current ones, although their version is equal.
TYPED_TEST(RingOf, StatusesOfLongAgo) {
    using T = typename TypeParam::T;
    constexpr int TILES = 5;
    constexpr unsigned VERSION = 0u - 3, CALLS = 4 * (TILES + 1);  // enough to renew all statuses
    TrialWorkspace workspace(TILES + 1, VERSION, VERSION + CALLS + 1);
    Asked asked = draw<T>(first_seed() + 200, TypeParam::Tiles::TILE, 1, TypeParam::ALIGN);
    asked.n = 1;
    for (unsigned call = 0; call < CALLS && !this->HasFatalFailure(); ++call)
        expect<TypeParam>(asked, workspace);
    asked.n = TILES * TypeParam::Tiles::TILE;
    expect<TypeParam>(asked, workspace);
}

/// With 24 blocks, the nearest inclusive prefix can lie more than 32 tiles before a late block's tile.
using RingChain = OnStrictMachine;
TEST_F(RingChain, LooksBackPastAWarp) {
    using Maps = Case<Affine8, ComposeAffine<unsigned>, true, Chained<Affine8>>;
    constexpr int TILES = 100, BLOCKS = 24;
    TrialWorkspace workspace(TILES + 1);
    for (unsigned seed = 0; seed < 3 && !HasFatalFailure(); ++seed)
        expect<Maps>(
            {seed, TILES * Maps::Tiles::TILE, Form::inclusive, seed % 2 == 0, false, 0, 0, BLOCKS, BLOCKS},
            workspace);
}

using RingFloats = OnStrictMachine;
TEST_F(RingFloats, HaveTheSameBitsInAnyOrder) {
    using Floats = Case<float, Sum<float>, true>;
    TrialWorkspace workspace(MOST_TILES + 1);
    const auto bits_of = [&](unsigned seed) {
        const Asked asked = {seed, 0, Form::inclusive, false, false, 0, 0, 1 + seed % 5, 1 + seed % 3};
        return float_bits(MOST_TILES * Floats::Tiles::TILE, asked, [&](const ScanProblem<float>& problem) {
            run<Floats, Form::inclusive>(problem, asked, workspace.words());
        });
    };
    const auto first = bits_of(0);
    for (unsigned seed = 1; seed < 10; ++seed) ASSERT_EQ(bits_of(seed), first) << "seed " << seed;
}

/// Statuses of 8, 16 and 32 bytes in turn.
using RingWorkspace = OnStrictMachine;
TEST_F(RingWorkspace, ServesSeveralTypes) {
    TrialWorkspace workspace(MOST_TILES + 1);
    for (unsigned seed = 100; seed < 108; ++seed) {
        using Narrow = Case<int, Sum<int>, true>;
        using Wide = Case<double, Sum<double>, true>;
        using Widest = Case<Affine16, ComposeAffine<unsigned long long>, true>;
        expect<Narrow>(draw<int>(seed, Narrow::Tiles::TILE, MOST_TILES, 4), workspace);
        expect<Wide>(draw<double>(seed, Wide::Tiles::TILE, MOST_TILES, 8), workspace);
        expect<Widest>(draw<Affine16>(seed, Widest::Tiles::TILE, MOST_TILES, 16), workspace);
        if (HasFatalFailure()) return;
    }
}

}  // namespace
