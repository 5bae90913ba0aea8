// The shared-memory contents of a traced block after each step.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

/// By step, the words that it wrote and their values.
using Steps = std::map<int, std::map<int, int>>;

Steps steps_of(const simt::Recording& recording, const std::string& array) {
    Steps steps;
    for (const simt::Word& word : recording.shared) {
        EXPECT_EQ(word.launch, 0);
        if (word.array == array) steps[word.step][word.word] = word.value;
    }
    return steps;
}

const std::vector<int> VALUES = {3, 1, 7, 0, 4, 1, 6, 3};

template <class Algorithm>
Steps scan_steps(bool trace = true) {
    constexpr int TILE = 8, THREADS = Algorithm::threads(TILE);
    std::vector<int> values = VALUES;
    values.insert(values.end(), 16, 100);  // two more blocks, which are not traced
    DeviceVector<int> in(values), out(values.size());
    int* const no_sums = nullptr;
    const auto scan = [&] {
        launch(scan_tiles<Algorithm, TILE, THREADS, Plain, int, Sum<int>>, 3, THREADS, nullptr, in.data(),
               out.data(), no_sums, 24LL, Sum<int>{});
    };
    return steps_of(simt::record(scan, trace), "memory");
}

/// The words of a tile that starts at word 1 of its array.
std::map<int, int> tile(const std::vector<int>& values) {
    std::map<int, int> words;
    for (int i = 0; i < int(values.size()); ++i) words[i + 1] = values[i];
    return words;
}

TEST(SharedContents, HillisSteele) {
    Steps steps = scan_steps<HillisSteele>();
    ASSERT_EQ(steps.size(), 4u);  // every other step only reads
    EXPECT_EQ(steps[0], tile(VALUES));
    // A step of stride s writes the elements from s on.
    EXPECT_EQ(steps[2], (std::map<int, int>{{2, 4}, {3, 8}, {4, 7}, {5, 4}, {6, 5}, {7, 7}, {8, 9}}));
    EXPECT_EQ(steps[4], (std::map<int, int>{{3, 11}, {4, 11}, {5, 12}, {6, 12}, {7, 11}, {8, 14}}));
    EXPECT_EQ(steps[6], (std::map<int, int>{{5, 15}, {6, 16}, {7, 22}, {8, 25}}));
}

TEST(SharedContents, Blelloch) {
    Steps steps = scan_steps<Blelloch>();
    ASSERT_EQ(steps.size(), 8u);
    EXPECT_EQ(steps[1], (std::map<int, int>{{2, 4}, {4, 7}, {6, 5}, {8, 9}}));
    EXPECT_EQ(steps[2], (std::map<int, int>{{4, 11}, {8, 14}}));
    EXPECT_EQ(steps[3], (std::map<int, int>{{8, 25}}));
    EXPECT_EQ(steps[4], (std::map<int, int>{{8, 0}}));
    EXPECT_EQ(steps[5], (std::map<int, int>{{4, 0}, {8, 11}}));
    EXPECT_EQ(steps[7], tile({0, 3, 4, 11, 11, 15, 16, 22}));
}

TEST(SharedContents, AnyScheduleAndAnyNumberOfCores) {
    const Steps expected = scan_steps<Blelloch>();
    for (const int seed : {1, 2, 3}) {
        simt::set_seed(seed);
        simt::set_cores(seed);
        EXPECT_EQ(scan_steps<Blelloch>(), expected) << seed;
    }
    simt::set_seed(0);
    simt::set_cores(0);
}

TEST(SharedContents, OnlyOfTracedRuns) { EXPECT_TRUE(scan_steps<Blelloch>(false).empty()); }

/// A word written twice, several arrays, elements of 1 and of 8 bytes, and atomics. Global accesses are not
/// recorded.
__global__ void write_all(int* count) {
    __shared__ int twice, sum;
    __shared__ double wide[2];
    __shared__ char narrow[2];
    const int t = threadIdx.x;
    if (t == 0) {
        twice = 1;
        twice = 2;
        sum = 0;
    }
    if (t < 2) {
        wide[t] = 0.5 + t;
        narrow[t] = char(t + 1);
    }
    __syncthreads();
    atomicAdd(&sum, t);
    atomicAdd(count, 1);
    __syncthreads();
    if (t == 0) *count = twice + sum + int(wide[0]) + narrow[1];
}

TEST(SharedContents, ByArrayAndWord) {
    DeviceVector<int> count(std::vector<int>{0});
    const auto recording = simt::record([&] { launch(write_all, 1, 4, nullptr, count.data()); }, true);
    EXPECT_EQ(steps_of(recording, "twice"), (Steps{{0, {{0, 2}}}})) << "the value at the end of the step";
    EXPECT_EQ(steps_of(recording, "sum"), (Steps{{0, {{0, 0}}}, {1, {{0, 6}}}}));
    EXPECT_EQ(steps_of(recording, "narrow"), (Steps{{0, {{0, 0x0201}}}}));
    Steps wide = steps_of(recording, "wide");
    ASSERT_EQ(wide.size(), 1u);
    ASSERT_EQ(wide[0].size(), 4u);
    std::int32_t halves[2] = {wide[0][2], wide[0][3]};
    double second = 0;
    std::memcpy(&second, halves, sizeof(second));
    EXPECT_EQ(second, 1.5);
    EXPECT_EQ(recording.shared.size(), 1u + 2u + 1u + 4u);
}

}  // namespace
