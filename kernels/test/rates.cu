// The kernels whose times are prices compute what is stated: kernels/rates. What they count is the claim
// rates.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/rates/adds.cuh"
#include "kernels/rates/barrier_steps.cuh"
#include "kernels/rates/block_copies.cuh"
#include "kernels/rates/latency.cuh"
#include "kernels/rates/shared_loads.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/test/machine.h"

using namespace trial;

namespace {

constexpr int THREADS = 64, BLOCKS = 2;
using Op = Sum<unsigned>;

TEST(Rates, ChainsAddWhatIsStated) {
    constexpr int ROUNDS = 3;
    constexpr unsigned TERM = 5, ADDED = ROUNDS * rates::UNROLLED * rates::CHAINS;
    DeviceVector<unsigned> out(BLOCKS * THREADS);
    launch(rates::add_in_chains<THREADS, unsigned, Op>, BLOCKS, THREADS, nullptr, out.data(), TERM, ROUNDS,
           Op{});
    EXPECT_EQ(rates::adds(ROUNDS), ADDED + rates::CHAINS - 1);
    constexpr unsigned SUM = rates::CHAINS * (rates::CHAINS - 1) / 2 + ADDED * TERM;
    EXPECT_EQ(out.read(), std::vector<unsigned>(BLOCKS * THREADS, SUM));
}

TEST(Rates, StepsAddNeighboursInACircle) {
    constexpr int PAIRS = 2;
    DeviceVector<unsigned> out(BLOCKS * THREADS);
    launch(rates::step_between_barriers<THREADS, unsigned, Op>, BLOCKS, THREADS, nullptr, out.data(), PAIRS,
           Op{});
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
    const auto counts = machine::count([&] {
        launch(rates::copy_by_blocks<THREADS, unsigned>, BLOCKS, THREADS, nullptr, in.data(), out.data());
    });
    EXPECT_EQ(out.read(), values);
    if (!machine::is_gpu()) EXPECT_EQ(counts.barriers, BLOCKS);
}

TEST(Rates, ALoadFollowsEachLoad) {
    constexpr unsigned PLACES = 64;
    constexpr int HOPS = 5;
    std::vector<unsigned> next(PLACES);
    for (unsigned i = 0; i < PLACES; ++i) next[i] = (i + rates::STRIDE) % PLACES;
    DeviceVector<unsigned> places(next), out(1);
    launch(rates::follow<unsigned>, 1, 1, nullptr, places.data(), out.data(), HOPS);
    EXPECT_EQ(out.read()[0], HOPS * rates::STRIDE % PLACES);
}

template <int DEGREE>
void expect_sums_of_strided_words() {
    constexpr int ROUNDS = 2;
    DeviceVector<unsigned> out(BLOCKS * THREADS);
    launch(rates::load_at_stride<DEGREE, THREADS, unsigned, Op>, BLOCKS, THREADS, nullptr, out.data(), ROUNDS,
           0, Op{});
    std::vector<unsigned> expected(BLOCKS * THREADS);
    for (int i = 0; i < BLOCKS * THREADS; ++i)
        for (int k = 0; k < rates::LOADS; ++k)
            expected[i] += ROUNDS * unsigned(rates::strided_word(DEGREE * (i % 32) + k));
    EXPECT_EQ(out.read(), expected);
}

TEST(Rates, LoadsAreOfTheStridedWords) {
    expect_sums_of_strided_words<1>();
    expect_sums_of_strided_words<4>();
    expect_sums_of_strided_words<32>();
}

}  // namespace
