// fast/detail/scan_one_wave under shuffled schedules, with small tiles. Few blocks are resident and low tiles
// run last, so warps must recompute the totals of their predecessors.
#include "kernels/fast/detail/scan_one_wave.cuh"

#include "kernels/multi_gpu/part_totals.cuh"
#include "kernels/tile.cuh"
#include "tests/simt/fast/draws.h"
#include "tests/simt/fast/marked.h"

namespace {

struct Policy {
    static constexpr int BLOCKS = 1;
    static constexpr unsigned POLLS_BEFORE_RECOMPUTE = 3;
    static int tile(int block, int blocks) { return blocks - 1 - block; }
};

template <class T_, class Op_, int WORDS>
struct Case {
    using T = T_;
    using Op = Op_;
    using Tiles = WaveTiles<T, WORDS, 64>;
    static constexpr int ALIGN = alignof(T);  ///< of the input vector, in bytes
};

template <class Case, Form FORM, class Exchange = NoExchange>
void run(const ScanProblem<typename Case::T>& problem, const VersionedWords& words,
         const Exchange& exchange = {}) {
    using T = typename Case::T;
    using Op = typename Case::Op;
    using Tiles = typename Case::Tiles;
    const auto kernel = problem.in == problem.out
                            ? scan_one_wave<Policy, FORM, true, Tiles, T, Op, Exchange>
                            : scan_one_wave<Policy, FORM, false, Tiles, T, Op, Exchange>;
    const auto blocks = static_cast<unsigned>(ceil_div(problem.n, Tiles::TILE));
    record_without_warning([&] {
        ASSERT_EQ(launch(kernel, blocks, Tiles::THREADS, nullptr, problem, words, Op{}, exchange),
                  cudaSuccess);
    });
}

template <class Case>
void expect(const Asked& asked, TrialWorkspace& workspace) {
    using T = typename Case::T;
    expect_scan<T, typename Case::Op>(
        asked, workspace, asked.n > Case::Tiles::TILE, [&](const ScanProblem<T>& problem) {
            asked.form == Form::inclusive ? run<Case, Form::inclusive>(problem, workspace.words())
                                          : run<Case, Form::exclusive>(problem, workspace.words());
        });
    ASSERT_EQ(no_elements(), 0) << asked;
}

template <class Case>
class WaveOf : public OnStrictMachine {};

using Affine16 = Affine<unsigned long long>;
using Cases = SomeThenOthers<
    testing::Types<Case<std::int8_t, Sum<std::int8_t>, 1>, Case<double, Sum<double>, 3>,
                   Case<Affine16, ComposeAffine<unsigned long long>, 2>, Case<Bytes<3>, JoinBytes<3>, 2>,
                   Case<Marked, MarkedSum, 2>>,
    testing::Types<Case<int, Sum<int>, 2>, Case<Affine<unsigned>, ComposeAffine<unsigned>, 3>,
                   Case<Row, Append, 2>, Case<Bytes<13>, JoinBytes<13>, 1>, Case<Pure, PureSum, 1>>>;
TYPED_TEST_SUITE(WaveOf, Cases, );

constexpr int MOST_TILES = 40;  // more than a warp polls at once

TYPED_TEST(WaveOf, Draws) { Draws<TypeParam, MOST_TILES, MOST_TILES>::on_one_core(12, expect<TypeParam>); }

TYPED_TEST(WaveOf, DrawsOnTwoCores) {
    Draws<TypeParam, MOST_TILES, MOST_TILES>::on_two_cores(3, 4, expect<TypeParam>);
}

TEST_F(OnStrictMachine, WaveOfAsManyTilesAsCanBe) {
    using Ints = Case<int, Sum<int>, 2>;
    TrialWorkspace workspace(Ints::Tiles::MAX_TILES);
    expect<Ints>({1, Ints::Tiles::MAX_TILES * Ints::Tiles::TILE, Form::inclusive, true, false, 4, 0, 0, 64},
                 workspace);
}

/// A vector in parts, one launch each: each part sends its total to its successors and waits for those of its
/// predecessors.
TYPED_TEST(WaveOf, Parts) {
    using T = typename TypeParam::T;
    using Tiles = typename TypeParam::Tiles;
    using Totals = PartTotals<T>;
    constexpr int PARTS = 3;
    constexpr std::size_t MAILBOX = Totals::MAX_PARTS * Versioned<T, Scope::system>::WORDS;
    TrialWorkspace workspace(MOST_TILES);
    DeviceVector<typename Totals::Word> mailboxes{std::vector<typename Totals::Word>(PARTS * MAILBOX)};
    DeviceVector<unsigned> late{std::vector<unsigned>(1)};
    for (unsigned call = 0; call < 4 && !this->HasFatalFailure(); ++call) {
        Asked asked = draw<T>(first_seed() + 300 + call, Tiles::TILE, MOST_TILES, alignof(T));
        asked.seeded = false;
        const long long n = std::max(asked.n, 1LL * PARTS), cuts[] = {0, 1 + call % 2, n - n / 3, n};
        asked.n = n;
        expect_result<T, typename TypeParam::Op>(asked, [&](const ScanProblem<T>& whole) {
            for (int p = 0; p < PARTS; ++p) {
                Totals totals = {{}, mailboxes.data() + p * MAILBOX, p, PARTS, call + 1, 0, late.data()};
                for (int k = p + 1; k < PARTS; ++k)
                    totals.successors[k - p - 1] = mailboxes.data() + k * MAILBOX;
                const ScanProblem<T> part = {
                    whole.in + cuts[p], whole.out + cuts[p], cuts[p + 1] - cuts[p], {{}, false}};
                asked.form == Form::inclusive
                    ? run<TypeParam, Form::inclusive>(part, workspace.words(), totals)
                    : run<TypeParam, Form::exclusive>(part, workspace.words(), totals);
            }
        });
        ASSERT_EQ(late.read()[0], 0u);
        ASSERT_EQ(no_elements(), 0) << asked;
    }
}

using WaveFloats = OnStrictMachine;
TEST_F(WaveFloats, HaveTheSameBitsInAnyOrder) {
    using Floats = Case<float, Sum<float>, 2>;
    constexpr int TILES = 40;
    TrialWorkspace workspace(TILES);
    const auto bits_of = [&](unsigned seed) {
        const Asked asked = {seed, 0, Form::inclusive, false, false, 0, 0, 0, 1 + seed % 8};
        return float_bits(TILES * Floats::Tiles::TILE, asked, [&](const ScanProblem<float>& problem) {
            run<Floats, Form::inclusive>(problem, workspace.words());
        });
    };
    const auto first = bits_of(0);
    for (unsigned seed = 1; seed < 8; ++seed) ASSERT_EQ(bits_of(seed), first) << "seed " << seed;
}

}  // namespace
