// fast/detail/scan_one_wave under the emulator. Few blocks are resident and low tiles run last, so warps must
// recompute the totals of their predecessors.
#include "kernels/fast/detail/scan_one_wave.cuh"

#include "kernels/multi_gpu/part_totals.cuh"
#include "kernels/tile.cuh"
#include "tests/emulation/scan_trial.h"

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
};

template <class Case, Form FORM, class Exchange = NoExchange>
void run(const ScanProblem<typename Case::T>& problem, const Asked& asked, const VersionedWords& words,
         const Exchange& exchange = {}) {
    using T = typename Case::T;
    using Op = typename Case::Op;
    using Tiles = typename Case::Tiles;
    const auto blocks = static_cast<unsigned>(ceil_div(problem.n, Tiles::TILE));
    emulation::run({blocks, Tiles::THREADS, 0}, {asked.seed, asked.resident}, [&] {
        problem.in == problem.out
            ? scan_one_wave<Policy, FORM, true, Tiles, T, Op, Exchange>(problem, words, Op{}, exchange)
            : scan_one_wave<Policy, FORM, false, Tiles, T, Op, Exchange>(problem, words, Op{}, exchange);
    });
}

template <class Case>
void expect(const Asked& asked, TrialWorkspace& workspace) {
    using T = typename Case::T;
    expect_scan<T, typename Case::Op>(
        asked, workspace, asked.n > Case::Tiles::TILE, [&](const ScanProblem<T>& problem) {
            asked.form == Form::inclusive ? run<Case, Form::inclusive>(problem, asked, workspace.words())
                                          : run<Case, Form::exclusive>(problem, asked, workspace.words());
        });
}

template <class Case>
class WaveOf : public testing::Test {};

using Affine16 = Affine<unsigned long long>;
using Cases = testing::Types<Case<std::int8_t, Sum<std::int8_t>, 1>, Case<int, Sum<int>, 2>,
                             Case<double, Sum<double>, 3>, Case<Affine<unsigned>, ComposeAffine<unsigned>, 3>,
                             Case<Affine16, ComposeAffine<unsigned long long>, 2>, Case<Row, Append, 2>,
                             Case<Bytes<3>, JoinBytes<3>, 2>, Case<Bytes<13>, JoinBytes<13>, 1>,
                             Case<Pure, PureSum, 1>>;
TYPED_TEST_SUITE(WaveOf, Cases, );

constexpr unsigned DRAWS = 50;

/// Up to Tiles::MAX_TILES tiles. All draws share one workspace, whose versions wrap around.
TYPED_TEST(WaveOf, Draws) {
    using T = typename TypeParam::T;
    using Tiles = typename TypeParam::Tiles;
    const unsigned version = 0u - DRAWS / 2;
    TrialWorkspace workspace(Tiles::MAX_TILES, version, version);
    for (unsigned k = 0; k < DRAWS; ++k) {
        expect<TypeParam>(draw<T>(first_seed() + k, Tiles::TILE, Tiles::MAX_TILES, alignof(T)), workspace);
        if (this->HasFatalFailure()) return;
    }
}

/// A vector in parts, one launch each: each part sends its total to its successors and waits for those of its
/// predecessors.
TYPED_TEST(WaveOf, Parts) {
    using T = typename TypeParam::T;
    using Tiles = typename TypeParam::Tiles;
    using Totals = PartTotals<T>;
    constexpr int PARTS = 3;
    constexpr std::size_t MAILBOX = Totals::MAX_PARTS * Versioned<T, Scope::system>::WORDS;
    TrialWorkspace workspace(Tiles::MAX_TILES);
    std::vector<typename Totals::Word> mailboxes(PARTS * MAILBOX);
    unsigned late = 0;
    for (unsigned call = 0; call < 12 && !this->HasFatalFailure(); ++call) {
        Asked asked = draw<T>(first_seed() + 300 + call, Tiles::TILE, Tiles::MAX_TILES, alignof(T));
        asked.seeded = false;
        const long long n = std::max(asked.n, 1LL * PARTS), cuts[] = {0, 1 + call % 2, n - n / 3, n};
        asked.n = n;
        expect_result<T, typename TypeParam::Op>(asked, [&](const ScanProblem<T>& whole) {
            for (int p = 0; p < PARTS; ++p) {
                Totals totals = {{}, &mailboxes[p * MAILBOX], p, PARTS, call + 1, 0, &late};
                for (int k = p + 1; k < PARTS; ++k) totals.successors[k - p - 1] = &mailboxes[k * MAILBOX];
                const ScanProblem<T> part = {
                    whole.in + cuts[p], whole.out + cuts[p], cuts[p + 1] - cuts[p], {{}, false}};
                asked.form == Form::inclusive
                    ? run<TypeParam, Form::inclusive>(part, asked, workspace.words(), totals)
                    : run<TypeParam, Form::exclusive>(part, asked, workspace.words(), totals);
            }
        });
        ASSERT_EQ(late, 0u);
    }
}

TEST(WaveFloats, HaveTheSameBitsInAnyOrder) {
    using Floats = Case<float, Sum<float>, 2>;
    constexpr int TILES = 40;
    TrialWorkspace workspace(TILES);
    const auto bits_of = [&](unsigned seed) {
        const Asked asked = {seed, 0, Form::inclusive, false, false, 0, 0, 0, 1 + seed % 8};
        return float_bits(TILES * Floats::Tiles::TILE, [&](const ScanProblem<float>& problem) {
            run<Floats, Form::inclusive>(problem, asked, workspace.words());
        });
    };
    const auto first = bits_of(0);
    for (unsigned seed = 1; seed < 20; ++seed) ASSERT_EQ(bits_of(seed), first) << "seed " << seed;
}

}  // namespace
