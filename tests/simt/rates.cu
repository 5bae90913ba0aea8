// The kernels whose times are prices do just what they are charged for: kernels/rates against closed forms.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/rates/adds.cuh"
#include "kernels/rates/barrier_steps.cuh"
#include "kernels/rates/block_copies.cuh"
#include "kernels/rates/latency.cuh"
#include "kernels/rates/shared_loads.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

constexpr int THREADS = 64, BLOCKS = 2, WARPS = BLOCKS * THREADS / 32;
using Op = simt::Counted<Sum<unsigned>>;

template <class Run>
simt::Counters counts(Run run) {
    return simt::record(run).total();
}

TEST(Rates, ChainsAddWhatIsStated) {
    constexpr int ROUNDS = 3;
    constexpr unsigned TERM = 5, ADDED = ROUNDS * rates::UNROLLED * rates::CHAINS;
    DeviceVector<unsigned> out(BLOCKS * THREADS);
    const auto found = counts([&] {
        launch(rates::add_in_chains<THREADS, unsigned, Op>, BLOCKS, THREADS, nullptr, out.data(), TERM,
               ROUNDS, Op{});
    });
    EXPECT_EQ(found.ops, BLOCKS * THREADS * rates::adds(ROUNDS));
    EXPECT_EQ(rates::adds(ROUNDS), ADDED + rates::CHAINS - 1);
    constexpr unsigned SUM = rates::CHAINS * (rates::CHAINS - 1) / 2 + ADDED * TERM;
    EXPECT_EQ(out.read(), std::vector<unsigned>(BLOCKS * THREADS, SUM));
}

TEST(Rates, StepsAddNeighboursInACircle) {
    constexpr int PAIRS = 2;
    DeviceVector<unsigned> out(BLOCKS * THREADS);
    const auto found = counts([&] {
        launch(rates::step_between_barriers<THREADS, unsigned, Op>, BLOCKS, THREADS, nullptr, out.data(),
               PAIRS, Op{});
    });
    EXPECT_EQ(found.ops, 2 * PAIRS * BLOCKS * THREADS);
    EXPECT_EQ(found.barriers, (2 * PAIRS + 1) * BLOCKS);
    EXPECT_EQ(found.shared_load_wavefronts, (4 * PAIRS + 1) * WARPS);
    std::vector<unsigned> expected(BLOCKS * THREADS);
    constexpr unsigned BINOMIAL[] = {1, 4, 6, 4, 1};  // after 4 steps
    for (int i = 0; i < BLOCKS * THREADS; ++i)
        for (int k = 0; k <= 2 * PAIRS; ++k) expected[i] += BINOMIAL[k] * ((i + k) % THREADS);
    EXPECT_EQ(out.read(), expected);
}

TEST(Rates, BlocksCopy) {
    std::vector<unsigned> values(BLOCKS * THREADS);
    std::iota(values.begin(), values.end(), 7);
    DeviceVector<unsigned> in(values), out(values.size());
    const auto found = counts([&] {
        launch(rates::copy_by_blocks<THREADS, unsigned>, BLOCKS, THREADS, nullptr, in.data(), out.data());
    });
    EXPECT_EQ(out.read(), values);
    EXPECT_EQ(found.barriers, BLOCKS);
    EXPECT_EQ(found.shared_load_wavefronts + found.shared_store_wavefronts, 2 * WARPS);
}

TEST(Rates, ALoadFollowsEachLoad) {
    constexpr unsigned PLACES = 64;
    constexpr int HOPS = 5;
    std::vector<unsigned> next(PLACES);
    for (unsigned i = 0; i < PLACES; ++i) next[i] = (i + rates::STRIDE) % PLACES;
    DeviceVector<unsigned> places(next), out(1);
    const auto found =
        counts([&] { launch(rates::follow<unsigned>, 1, 1, nullptr, places.data(), out.data(), HOPS); });
    EXPECT_EQ(found.global_load_sectors, HOPS);
    EXPECT_EQ(out.read()[0], HOPS * rates::STRIDE % PLACES);
}

template <int DEGREE>
void expect_wavefronts() {
    constexpr int ROUNDS = 2, WORDS = rates::STRIDED_WORDS<DEGREE>;
    DeviceVector<unsigned> out(BLOCKS * THREADS);
    const auto found = counts([&] {
        launch(rates::load_at_stride<DEGREE, THREADS, unsigned, Op>, BLOCKS, THREADS, nullptr, out.data(),
               ROUNDS, 0, Op{});
    });
    EXPECT_EQ(found.shared_load_requests, WARPS * ROUNDS * rates::LOADS);
    EXPECT_EQ(found.shared_load_wavefronts, WARPS * ROUNDS * rates::LOADS * DEGREE);
    EXPECT_EQ(found.shared_store_requests, BLOCKS * ((WORDS + 31) / 32));
    EXPECT_EQ(found.barriers, BLOCKS);
    std::vector<unsigned> expected(BLOCKS * THREADS);
    for (int i = 0; i < BLOCKS * THREADS; ++i)
        for (int k = 0; k < rates::LOADS; ++k)
            expected[i] += ROUNDS * unsigned(rates::strided_word(DEGREE * (i % 32) + k));
    EXPECT_EQ(out.read(), expected);
}

TEST(Rates, LoadsHaveTheStatedConflicts) {
    expect_wavefronts<1>();
    expect_wavefronts<4>();
    expect_wavefronts<32>();
}

}  // namespace
