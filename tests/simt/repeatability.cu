// Counts and results depend neither on the number of cores nor on the schedule.
#include <gtest/gtest.h>

#include "kernels/operators.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

using Op = simt::Counted<Sum<int>>;
constexpr long long N = 50'000;

struct Outcome {
    std::vector<int> result;
    std::vector<std::int64_t> counts;
    std::vector<int> trace;
    bool operator==(const Outcome& other) const {
        return result == other.result && counts == other.counts && trace == other.trace;
    }
};

Outcome run() {
    std::vector<int> values(N);
    for (int i = 0; i < N; ++i) values[i] = i * 7919 % 1000;
    DeviceVector<int> in(values), out(N);
    ThreePhaseScan<int, Op> scan(Spine::device, N);
    const auto recording = simt::record([&] { scan(in.data(), out.data(), N, Op{}, nullptr); }, true);
    Outcome outcome{out.read(), {}, {}};
    for (const simt::Launch& launch : recording.launches)
        for (const simt::Counters& step : launch.steps)
            simt::Counters::for_each(
                step, [&](const char*, std::int64_t value) { outcome.counts.push_back(value); });
    for (const simt::Access& access : recording.trace)
        outcome.trace.insert(outcome.trace.end(),
                             {access.launch, access.step, access.warp, access.lane, access.word});
    return outcome;
}

TEST(Repeatability, AnyNumberOfCores) {
    simt::set_cores(1);
    const Outcome one_core = run();
    EXPECT_EQ(one_core.result.back(), [] {
        int sum = 0;
        for (int i = 0; i < N; ++i) sum += i * 7919 % 1000;
        return sum;
    }());
    for (const int cores : {1, 2, 3, 8}) {
        simt::set_cores(cores);
        EXPECT_TRUE(run() == one_core) << cores << " cores";
    }
}

TEST(Repeatability, AnySchedule) {
    const Outcome ascending = run();
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        simt::set_seed(seed);
        const Outcome shuffled = run();
        EXPECT_EQ(shuffled.result, ascending.result) << "seed " << seed;
        EXPECT_EQ(shuffled.counts, ascending.counts) << "seed " << seed;
    }
    simt::set_seed(0);
}

}  // namespace
