// The two kernels of fast/scan, with small tiles, in any order of blocks, warps and copies: every size of
// element, length, address, seed and aliasing. Calls from the host, with a GPU's tiles, are tested by
// scan_calls.cu.
// Runs for long: it begins first, so that no core is left idle at the end.
#include <gtest/gtest.h>

#include <type_traits>

#include "kernels/fast/detail/look_ahead.cuh"
#include "kernels/fast/detail/scan_one_wave.cuh"
#include "kernels/fast/detail/scan_ring.cuh"
#include "kernels/fast/detail/scan_ring_variants.cuh"
#include "kernels/fast/scan.cuh"
#include "kernels/multi_gpu/part_totals.cuh"
#include "kernels/test/needs.h"
#include "kernels/test/trial.h"
#include "kernels/tile.cuh"

using namespace trial;

namespace {

/// An element that carries a mark; uninitialised and default values do not. The operator must be applied to
/// elements only, as it may use them as indices.
struct Marked {
    static constexpr int MARK = 0x600d;
    int value, mark;
};
__device__ unsigned no_elements;  ///< how often the operator met what is no element
struct MarkedSum {
    __host__ __device__ Marked operator()(Marked left, Marked right) const {
#ifdef __CUDA_ARCH__
        if (left.mark != Marked::MARK || right.mark != Marked::MARK) atomicAdd(&no_elements, 1u);
#endif
        return {left.value + right.value, Marked::MARK};
    }
    __host__ __device__ static Marked identity() { return {0, Marked::MARK}; }
};
using ::same;
bool same(const Marked& a, const Marked& b) { return a.value == b.value && a.mark == b.mark; }
void expect_elements_only(const Asked& asked) {
    unsigned met = 0;
    ASSERT_EQ(cudaMemcpyFromSymbol(&met, no_elements, sizeof(met)), cudaSuccess);
    ASSERT_EQ(met, 0u) << asked;
}

using Affine8 = Affine<unsigned>;
using Compose8 = ComposeAffine<unsigned>;
using Affine16 = Affine<unsigned long long>;
using Compose16 = ComposeAffine<unsigned long long>;
constexpr Form IN = Form::inclusive, EX = Form::exclusive;

}  // namespace
template <>
struct Maker<Marked> {
    static Marked make(std::mt19937& random) { return {static_cast<int>(random() % 1000), Marked::MARK}; }
};
namespace {

// --- The ring

template <class T>
struct SmallRing {
    static constexpr int STAGES = 3, ARRIVALS = 1, TILES_PER_LANE = sizeof(T) <= 4 ? 2 : 1, GROUPS = 2;
    static constexpr unsigned LOADS_IN_FLIGHT = 2;
    using Sums = VersionedArray<T>;
    using Ahead = LookAhead<T, TILES_PER_LANE, GROUPS>;
};

/// With decoupled look-back in place of the look-ahead, see fast/detail/scan_ring_variants.
template <class T>
struct Chained : SmallRing<T> {
    using Sums = ChainArray<T>;
    using Ahead = Chain<T>;
};

/// IN_WORDS: see RingTiles.
template <class T_, class Op_, Form FORM_, bool IN_WORDS, class Policy_ = SmallRing<T_>>
struct RingCase {
    using T = T_;
    using Op = Op_;
    using Policy = Policy_;
    using Tiles = RingTiles<T, IN_WORDS, 64, 48>;
    static constexpr Form FORM = FORM_;
    /// Of the input vector, in bytes.
    [[maybe_unused]] static constexpr int ALIGN = IN_WORDS ? sizeof(T) : alignof(T);
};

template <class Case>
void run_ring(const ScanProblem<typename Case::T>& problem, unsigned blocks, const VersionedWords& words) {
    using T = typename Case::T;
    using Op = typename Case::Op;
    using Policy = typename Case::Policy;
    using Tiles = typename Case::Tiles;
    launch_ring<Tiles, Ring<Policy, Tiles, T>>(scan_ring<Policy, Case::FORM, Tiles, T, Op>, blocks, problem,
                                               words, Op{});
}

template <class Case>
void expect_ring(const Asked& asked, TrialWorkspace& workspace) {
    using T = typename Case::T;
    expect_ready(asked, workspace, true, [&](const Asked& a) {
        expect_scan<T, typename Case::Op>(a, Case::FORM, [&](const ScanProblem<T>& problem) {
            run_ring<Case>(problem, a.blocks, workspace.words());
        });
    });
    expect_elements_only(asked);
}

template <class Case>
class RingOf : public testing::Test {
    void SetUp() override { NEEDS_ARCHITECTURE(90, "a bulk copy"); }
};
using RingCases = SomeThenOthers<
    testing::Types<RingCase<std::int8_t, Sum<std::int8_t>, IN, true>, RingCase<double, Sum<double>, EX, true>,
                   RingCase<Affine16, Compose16, IN, true>, RingCase<Bytes<3>, JoinBytes<3>, EX, false>,
                   RingCase<Marked, MarkedSum, EX, true>, RingCase<Affine8, Compose8, IN, false>,
                   RingCase<Affine8, Compose8, IN, true, Chained<Affine8>>>,
    testing::Types<RingCase<int, Sum<int>, EX, true>, RingCase<Affine8, Compose8, EX, true>,
                   RingCase<Affine16, Compose16, EX, false>, RingCase<Row, Append, IN, false>,
                   RingCase<Bytes<13>, JoinBytes<13>, IN, false>, RingCase<Pure, PureSum, IN, true>,
                   RingCase<Pure, PureSum, EX, false>, RingCase<Marked, MarkedSum, IN, false>,
                   RingCase<std::int8_t, Sum<std::int8_t>, EX, true, Chained<std::int8_t>>,
                   RingCase<Affine8, Compose8, EX, false, Chained<Affine8>>>>;
TYPED_TEST_SUITE(RingOf, RingCases, );

constexpr int MOST_TILES = 24;

TYPED_TEST(RingOf, Draws) { expect_draws<TypeParam, MOST_TILES>(30, expect_ring<TypeParam>); }

/// More tiles than the look-ahead reads at once.
TYPED_TEST(RingOf, ManyTiles) {
    expect_tiles<TypeParam>(32 * TypeParam::Policy::TILES_PER_LANE * TypeParam::Policy::GROUPS + 5,
                            expect_ring<TypeParam>);
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
        expect_ring<TypeParam>(asked, workspace);
    asked.n = TILES * TypeParam::Tiles::TILE;
    expect_ring<TypeParam>(asked, workspace);
}

/// With 24 blocks, the nearest inclusive prefix can lie more than 32 tiles before a late block's tile.
TEST(RingChain, LooksBackPastAWarp) {
    NEEDS_ARCHITECTURE(90, "a bulk copy");
    using Maps = RingCase<Affine8, Compose8, IN, true, Chained<Affine8>>;
    constexpr int TILES = 100, BLOCKS = 24;
    TrialWorkspace workspace(TILES + 1);
    for (unsigned seed = 0; seed < 3 && !testing::Test::HasFatalFailure(); ++seed)
        expect_ring<Maps>({seed, TILES * Maps::Tiles::TILE, seed % 2 == 0, false, 0, 0, BLOCKS}, workspace);
}

TEST(RingFloats, HaveTheSameBitsInAnyOrder) {
    using Floats = RingCase<float, Sum<float>, IN, true>;
    TrialWorkspace workspace(MOST_TILES + 1);
    const auto bits_of = [&](unsigned seed) {
        return float_bits(MOST_TILES * Floats::Tiles::TILE, seed, [&](const ScanProblem<float>& problem) {
            run_ring<Floats>(problem, 1 + seed % 5, workspace.words());
        });
    };
    const auto first = bits_of(0);
    for (unsigned seed = 1; seed < 10; ++seed) ASSERT_EQ(bits_of(seed), first) << "seed " << seed;
}

/// Statuses of 8, 16 and 32 bytes in turn.
TEST(RingWorkspace, ServesSeveralTypes) {
    NEEDS_ARCHITECTURE(90, "a bulk copy");
    using Narrow = RingCase<float, Sum<float>, IN, true>;
    using Wide = RingCase<double, Sum<double>, EX, true>;
    using Widest = RingCase<Affine16, Compose16, IN, true>;
    TrialWorkspace workspace(MOST_TILES + 1);
    for (unsigned seed = 100; seed < 108 && !testing::Test::HasFatalFailure(); ++seed) {
        expect_ring<Narrow>(draw<float>(seed, Narrow::Tiles::TILE, MOST_TILES, 4), workspace);
        expect_ring<Wide>(draw<double>(seed, Wide::Tiles::TILE, MOST_TILES, 8), workspace);
        expect_ring<Widest>(draw<Affine16>(seed, Widest::Tiles::TILE, MOST_TILES, 16), workspace);
    }
}

// --- The pass.

/// The words between two sums are renewed in turn: none gets so old that it would be taken for a current one
/// 2^32 calls later, by a call that publishes there.
TEST(PassWorkspace, NoWordBetweenSumsGetsOld) {
    using Policy = PassPolicy<64, 2, 16, 16>;  // tiles of 256 ints
    constexpr int TILES = 35;
    const long long n = TILES * 256 - 3, words = SumsOfTiles<int, int>::words(TILES);
    const unsigned long long nearly = 0u - 10;
    const auto values = exact_elements<int>(n, 1);
    DeviceVector<int> in(values), out(n);
    const Workspace workspace(CONTROL_BYTES + words * sizeof(VersionedWords::Word), nullptr);
    ASSERT_EQ(cudaMemcpy(workspace.data(), &nearly, sizeof(nearly), cudaMemcpyHostToDevice), cudaSuccess);
    const int* const from = in.data();
    for (long long call = 0; call < words + 20; ++call)
        ASSERT_EQ((scan_detail::Scan<IN, Policy>{}(workspace, from, out.data(), n, Sum<int>{}, nullptr)),
                  cudaSuccess);
    EXPECT_EQ(out.read(), pure_oracle(values, n, true, Sum<int>{}));
    std::vector<VersionedWords::Word> after(CONTROL_BYTES / sizeof(VersionedWords::Word) + words);
    ASSERT_EQ(
        cudaMemcpy(after.data(), workspace.data(), after.size() * sizeof(after[0]), cudaMemcpyDeviceToHost),
        cudaSuccess);
    for (long long word = 0; word < words; ++word) {
        if (SumsOfTiles<int, int>::is_used(static_cast<unsigned>(word), TILES)) continue;
        const auto version = static_cast<unsigned>(after[after.size() - words + word] >> 32);
        EXPECT_LT(static_cast<unsigned>(after[0]) - version, words) << "word " << word;
    }
}

// --- One wave. Low tiles run last, so warps may have to recompute the sums of their predecessors.

struct SmallWave {
    static constexpr int BLOCKS = 1;
    static constexpr unsigned POLLS_BEFORE_RECOMPUTE = 3;
    __host__ __device__ static int tile(int block, int blocks) { return blocks - 1 - block; }
};

template <class T_, class Op_, Form FORM_, int WORDS>
struct WaveCase {
    using T = T_;
    using Op = Op_;
    using Tiles = WaveTiles<T, WORDS, 64>;
    static constexpr Form FORM = FORM_;
    [[maybe_unused]] static constexpr int ALIGN = alignof(T);  ///< of the input vector, in bytes
};

template <class Case, class Exchange = NoExchange>
void run_wave(const ScanProblem<typename Case::T>& problem, const VersionedWords& words,
              const Exchange& exchange = {}) {
    using T = typename Case::T;
    using Op = typename Case::Op;
    using Tiles = typename Case::Tiles;
    const auto kernel = problem.in == problem.out
                            ? scan_one_wave<SmallWave, Case::FORM, true, Tiles, T, Op, Exchange>
                            : scan_one_wave<SmallWave, Case::FORM, false, Tiles, T, Op, Exchange>;
    const auto blocks = static_cast<unsigned>(ceil_div(problem.n, Tiles::TILE));
    ASSERT_EQ(launch(kernel, blocks, Tiles::THREADS, nullptr, problem, words, Op{}, exchange), cudaSuccess);
}

template <class Case>
void expect_wave(const Asked& asked, TrialWorkspace& workspace) {
    using T = typename Case::T;
    expect_ready(asked, workspace, asked.n > Case::Tiles::TILE, [&](const Asked& a) {
        expect_scan<T, typename Case::Op>(a, Case::FORM, [&](const ScanProblem<T>& problem) {
            run_wave<Case>(problem, workspace.words());
        });
    });
    expect_elements_only(asked);
}

template <class Case>
class WaveOf : public testing::Test {};
using WaveCases = SomeThenOthers<
    testing::Types<WaveCase<std::int8_t, Sum<std::int8_t>, EX, 1>, WaveCase<Affine16, Compose16, IN, 2>,
                   WaveCase<Bytes<3>, JoinBytes<3>, IN, 2>, WaveCase<Marked, MarkedSum, EX, 2>>,
    testing::Types<WaveCase<double, Sum<double>, IN, 3>, WaveCase<int, Sum<int>, EX, 2>,
                   WaveCase<Affine8, Compose8, IN, 3>, WaveCase<Row, Append, EX, 2>,
                   WaveCase<Bytes<13>, JoinBytes<13>, EX, 1>, WaveCase<Pure, PureSum, IN, 1>>>;
TYPED_TEST_SUITE(WaveOf, WaveCases, );

constexpr int MOST_TILES_OF_WAVE = 40;  // more than a warp polls at once

TYPED_TEST(WaveOf, Draws) { expect_draws<TypeParam, MOST_TILES_OF_WAVE>(20, expect_wave<TypeParam>); }

/// A vector in parts, one launch each: each part sends its total to its successors and waits for those of its
/// predecessors.
TYPED_TEST(WaveOf, Parts) {
    using T = typename TypeParam::T;
    using Tiles = typename TypeParam::Tiles;
    using Totals = PartTotals<T>;
    constexpr int PARTS = 3;
    constexpr std::size_t MAILBOX = Totals::MAX_PARTS * Versioned<T, Scope::system>::WORDS;
    TrialWorkspace workspace(MOST_TILES_OF_WAVE);
    DeviceVector<typename Totals::Word> mailboxes{std::vector<typename Totals::Word>(PARTS * MAILBOX)};
    DeviceVector<unsigned> late{std::vector<unsigned>(1)};
    for (unsigned call = 0; call < 4 && !this->HasFatalFailure(); ++call) {
        Asked asked = draw<T>(first_seed() + 300 + call, Tiles::TILE, MOST_TILES_OF_WAVE, alignof(T));
        asked.seeded = false;
        const long long n = std::max(asked.n, 1LL * PARTS), cuts[] = {0, 1 + call % 2, n - n / 3, n};
        asked.n = n;
        expect_scan<T, typename TypeParam::Op>(asked, TypeParam::FORM, [&](const ScanProblem<T>& whole) {
            for (int p = 0; p < PARTS; ++p) {
                Totals totals = {{}, mailboxes.data() + p * MAILBOX, p, PARTS, call + 1, 0, late.data()};
                for (int k = p + 1; k < PARTS; ++k)
                    totals.successors[k - p - 1] = mailboxes.data() + k * MAILBOX;
                const ScanProblem<T> part = {
                    whole.in + cuts[p], whole.out + cuts[p], cuts[p + 1] - cuts[p], {{}, false}};
                run_wave<TypeParam>(part, workspace.words(), totals);
            }
        });
        ASSERT_EQ(late.read()[0], 0u);
        expect_elements_only(asked);
    }
}

TEST(WaveFloats, HaveTheSameBitsInAnyOrder) {
    using Floats = WaveCase<float, Sum<float>, IN, 2>;
    constexpr int TILES = 40;
    TrialWorkspace workspace(TILES);
    const auto bits_of = [&](unsigned seed) {
        return float_bits(TILES * Floats::Tiles::TILE, seed, [&](const ScanProblem<float>& problem) {
            run_wave<Floats>(problem, workspace.words());
        });
    };
    const auto first = bits_of(0);
    for (unsigned seed = 1; seed < 8; ++seed) ASSERT_EQ(bits_of(seed), first) << "seed " << seed;
}

// --- The look-ahead by one warp, while another one publishes the sums: for a tile whose predecessors are
// few, many, or more than it reads at once, as when a block starts late.

template <class T_, class Op_, int PER_LANE_, int GROUPS_, class Total_ = T_>
struct AheadCase {
    using T = T_;
    using Op = Op_;
    using Total = Total_;
    static constexpr int PER_LANE = PER_LANE_, GROUPS = GROUPS_;
    using Ahead = LookAhead<T, PER_LANE, GROUPS, true, Total>;
};

struct AddCounts {
    template <class Count>
    __host__ __device__ Count operator()(Count left, Count right) const {
        return left + right;
    }
};

/// found[32 k + lane]: the exclusive prefix of tile asked[k]. Grid: 1 block of 64 threads.
template <class Case>
__global__ void look_ahead(VersionedWords workspace, const typename Case::T* sums, int tiles,
                           const int* asked, int questions, Prefix<typename Case::Total> seed,
                           Prefix<typename Case::Total>* found) {
    const VersionedArray<typename Case::T> published(workspace, 1);
    if (threadIdx.x == 32)
        for (int tile = 0; tile < tiles; ++tile) published.write(tile, sums[tile]);
    if (threadIdx.x >= 32) return;
    typename Case::Ahead ahead(seed);
    for (int k = 0; k < questions; ++k)
        found[32 * k + threadIdx.x] = ahead.exclusive_prefix(asked[k], published, typename Case::Op());
}

template <class T>
T sum_of_tile(std::mt19937& random) {
    if constexpr (std::is_integral_v<T>)
        return random() % (1u << 24);  // a group of sums fits in 32 bits, not all of them
    else
        return Maker<T>::make(random);
}

template <class Case>
void expect_prefixes(const std::vector<int>& asked, bool seeded, unsigned schedule) {
    using Total = typename Case::Total;
    std::mt19937 random(schedule);
    const int tiles = asked.back();
    std::vector<typename Case::T> sums(tiles);
    for (auto& sum : sums) sum = sum_of_tile<typename Case::T>(random);
    const Prefix<Total> seed = {Maker<Total>::make(random), seeded};
    std::vector<Prefix<Total>> prefixes = {seed};
    for (const auto& sum : sums)
        prefixes.push_back(
            {prefixes.back().exists ? typename Case::Op()(prefixes.back().value, Total(sum)) : Total(sum),
             true});

    TrialWorkspace workspace(tiles + Case::Ahead::GROUP);
    DeviceVector<typename Case::T> in(sums);
    DeviceVector<int> questions(asked);
    DeviceVector<Prefix<Total>> out(32 * asked.size());
    machine::in_order(schedule, [&] {
        launch(look_ahead<Case>, 1, 64, nullptr, workspace.words(), in.data(), tiles, questions.data(),
               static_cast<int>(asked.size()), seed, out.data());
    });
    const auto found = out.read();
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Prefix<Total> expected = prefixes[asked[i / 32]];
        ASSERT_EQ(found[i].exists, expected.exists) << "tile " << asked[i / 32];
        ASSERT_TRUE(!expected.exists || same(found[i].value, expected.value)) << "tile " << asked[i / 32];
    }
}

template <class Case>
class LookAheadOf : public testing::Test {};

using AheadCases =
    testing::Types<AheadCase<int, Sum<int>, 1, 1>, AheadCase<Affine8, Compose8, 2, 2>,
                   AheadCase<Affine8, Compose8, 1, 3>, AheadCase<unsigned, AddCounts, 4, 3, long long>>;
TYPED_TEST_SUITE(LookAheadOf, AheadCases, );

TYPED_TEST(LookAheadOf, TilesInTurnAndLateOnes) {
    constexpr int GROUP = TypeParam::Ahead::GROUP, ALL = TypeParam::GROUPS * GROUP;
    const std::vector<std::vector<int>> orders = {{0, 1, 2, GROUP - 1, GROUP, GROUP + 1, ALL, ALL + 3},
                                                  {ALL - 1, ALL, ALL + 1, 3 * ALL},
                                                  {ALL},
                                                  {ALL + 1, 2 * ALL + 1},
                                                  {2 * ALL + GROUP / 2 + 1, 2 * ALL + GROUP + 1}};
    for (unsigned seed = 0; seed < 4; ++seed)
        for (const auto& asked : orders) {
            expect_prefixes<TypeParam>(asked, seed % 2 == 1, first_seed() + seed);
            if (this->HasFatalFailure()) return;
        }
}

struct Awaited {
    int values[2], beyond;
};

/// found[lane]: values lane and 32 + lane, and what lies beyond them. Grid: 1 block of 32 threads.
__global__ void await_rows(VersionedWords workspace, Awaited* found) {
    const VersionedArray<int> published(workspace, 1);
    for (unsigned k = threadIdx.x; k < 64; k += 32) published.write(k, static_cast<int>(100 + k));
    Awaited own = {{0, 0}, -1};
    published.await(own.values, 0, 63);
    found[threadIdx.x] = own;
}

TEST(Await, WritesItsRowsAndNothingBeyond) {
    TrialWorkspace workspace(64);
    DeviceVector<Awaited> out(32);
    launch(await_rows, 1, 32, nullptr, workspace.words(), out.data());
    const auto found = out.read();
    for (int lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(found[lane].values[0], 100 + lane);
        EXPECT_EQ(found[lane].values[1], 132 + lane);
        EXPECT_EQ(found[lane].beyond, -1);
    }
}

}  // namespace
