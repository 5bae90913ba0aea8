// fast/detail/look_ahead by one warp, while another one publishes the sums: for a tile whose predecessors are
// few, many, or more than it reads at once, as when a block starts late.
#include "kernels/fast/detail/look_ahead.cuh"

#include <type_traits>

#include "tests/kernels/trial.h"

namespace {

template <class T_, class Op_, int PER_LANE_, int GROUPS_, class Total_ = T_>
struct Case {
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
        prefixes.push_back({prefixes.back().exists ? typename Case::Op()(prefixes.back().value, Total(sum)) : Total(sum), true});

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

using Affine8 = Affine<unsigned>;
using Compose = ComposeAffine<unsigned>;
using Cases = testing::Types<Case<int, Sum<int>, 1, 1>, Case<Affine8, Compose, 2, 2>,
                             Case<Affine8, Compose, 1, 3>, Case<unsigned, AddCounts, 4, 3, long long>>;
TYPED_TEST_SUITE(LookAheadOf, Cases, );

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
