// Segments that do not cover the vector, by offsets, by begins and ends, and of one length; lengths that only
// the device knows.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/fast/all.cuh"
#include "kernels/predicates.cuh"
#include "kernels/test/device_vector.h"

using namespace trial;

namespace {

using Map = Affine<unsigned>;  // does not commute
using Compose = ComposeAffine<unsigned>;

std::vector<Map> maps(long long n) {
    std::vector<Map> values(n);
    for (long long i = 0; i < n; ++i)
        values[i] = {static_cast<unsigned>(2 * i + 1), static_cast<unsigned>(7 * i)};
    return values;
}
bool same(const Map& a, const Map& b) { return a.a == b.a && a.b == b.b; }

struct Bounds {
    std::vector<long long> begins, ends;
};

/// totals and scans, exclusive from a seed, beside those computed one by one. unwritten: whether places of no
/// segment are left alone.
template <class Offsets>
void expect_segments(long long n, const Bounds& of, const Offsets& offsets, bool unwritten) {
    const auto values = maps(n);
    const Map seed = {3, 5}, untouched = {77, 77};
    const auto segments = static_cast<long long>(of.begins.size());
    DeviceVector<Map> in(values), totals(segments), seeded(segments), out(std::vector<Map>(n, untouched));
    const Map* const from = in.data();
    const Workspace workspace(bytes_needed<double2>(n), nullptr);
    ASSERT_EQ(segmented_reduce(workspace, from, totals.data(), n, offsets, segments, Compose{}, nullptr),
              cudaSuccess);
    ASSERT_EQ(
        segmented_reduce(workspace, from, seeded.data(), n, offsets, segments, Compose{}, seed, nullptr),
        cudaSuccess);
    ASSERT_EQ(
        segmented_exclusive_scan(workspace, from, out.data(), n, offsets, segments, Compose{}, seed, nullptr),
        cudaSuccess);
    const auto found = totals.read(), from_seed = seeded.read(), scanned = out.read();
    std::vector<bool> inside(n, false);
    for (long long s = 0; s < segments; ++s) {
        Map total = Compose::identity(), sum = seed;
        for (long long i = of.begins[s]; i < of.ends[s]; ++i) {
            ASSERT_TRUE(same(scanned[i], sum)) << "segment " << s << ", element " << i << " of " << n;
            inside[i] = true;
            total = Compose{}(total, values[i]);
            sum = Compose{}(sum, values[i]);
        }
        ASSERT_TRUE(same(found[s], total)) << "segment " << s << " of " << segments << ", n " << n;
        ASSERT_TRUE(same(from_seed[s], sum)) << "segment " << s << " of " << segments << ", n " << n;
    }
    for (long long i = 0; unwritten && i < n; ++i)
        if (!inside[i]) ASSERT_TRUE(same(scanned[i], untouched)) << i;
}

void expect_offsets(long long n, const std::vector<long long>& offsets) {
    DeviceVector<long long> on_device(offsets);
    const Bounds of = {{offsets.begin(), offsets.end() - 1}, {offsets.begin() + 1, offsets.end()}};
    const long long* const at = on_device.data();
    expect_segments(n, of, at, false);
}

TEST(Segments, ByOffsetsNeedNotCover) {
    expect_offsets(10, {3, 7});
    expect_offsets(10, {3, 5, 7});
    expect_offsets(10, {4, 4});
    expect_offsets(10, {10, 10, 10});
    expect_offsets(100'000, {33'333, 77'777});
    expect_offsets(100'000, {1, 99'999});
    expect_offsets(100'000, {40'000, 40'003, 41'000, 41'000, 41'001});
    // Long ones in pieces, with whole pieces of no segment before and after.
    std::vector<long long> offsets = {30'000, 60'001};
    for (int k = 0; k < 200; ++k) offsets.push_back(offsets.back() + k % 3);
    offsets.push_back(offsets.back() + 20'000);
    expect_offsets(offsets.back() + 30'000, offsets);
}

/// So many tiles that no one waits for another.
TEST(Segments, ByOffsetsOfManyTiles) {
    using Tiny = PassPolicy<64, 2, 16, 16>;
    constexpr long long N = 2200 * 128;
    const auto values = maps(N);
    for (const std::vector<long long>& offsets :
         {std::vector<long long>{1000, 1003, 1003, 150'000, 150'001, 250'000},
          std::vector<long long>{0, 70'000}, std::vector<long long>{N - 5, N - 1, N - 1}}) {
        const auto segments = static_cast<long long>(offsets.size()) - 1;
        DeviceVector<Map> in(values), totals(segments);
        DeviceVector<long long> on_device(offsets);
        const Map* const from = in.data();
        const Workspace workspace(bytes_needed<double2>(20 * N), nullptr);
        ASSERT_EQ(segmented_reduce<Tiny>(workspace, from, totals.data(), N, on_device.data(), segments,
                                         Compose{}, nullptr),
                  cudaSuccess);
        const auto found = totals.read();
        for (long long s = 0; s < segments; ++s) {
            Map total = Compose::identity();
            for (long long i = offsets[s]; i < offsets[s + 1]; ++i) total = Compose{}(total, values[i]);
            ASSERT_TRUE(same(found[s], total)) << "segment " << s;
        }
    }
}

TEST(Segments, ByBeginsAndEnds) {
    for (const Bounds& of : {Bounds{{3}, {7}}, Bounds{{600, 3, 300, 4000, 9}, {4000, 7, 300, 4999, 8}},
                             Bounds{{0, 50'000}, {40'000, 99'999}}}) {
        DeviceVector<long long> begins(of.begins), ends(of.ends);
        const long long n = *std::max_element(of.ends.begin(), of.ends.end()) + 3;
        expect_segments(n, of, Segments{begins.data(), ends.data()}, true);
    }
}

TEST(Segments, OfOneLength) {
    for (const long long length : {1LL, 3LL, 1000LL, 30'000LL}) {
        const long long segments = 3 + 20'000 / length;
        Bounds of;
        for (long long s = 0; s < segments; ++s) {
            of.begins.push_back(s * length);
            of.ends.push_back((s + 1) * length);
        }
        expect_segments(segments * length, of, EqualSegments{length}, false);
    }
}

TEST(LengthOnDevice, OfReductions) {
    constexpr long long MOST = 300'000;
    std::vector<int> values(MOST);
    std::iota(values.begin(), values.end(), 1);
    DeviceVector<int> in(values, 1), out(3), length(1);
    const int* const from = in.data();
    const Workspace workspace(bytes_needed<double2>(MOST), nullptr);
    for (const int n : {0, 1, 5, 5000, 299'999, 300'000, 300'001}) {
        ASSERT_EQ(cudaMemcpy(length.data(), &n, sizeof(n), cudaMemcpyHostToDevice), cudaSuccess);
        const OnDevice of{length.data(), MOST};
        ASSERT_EQ(reduce(workspace, from, out.data(), of, Sum<int>{}, nullptr), cudaSuccess);
        ASSERT_EQ(reduce(workspace, from, out.data() + 1, of, Sum<int>{}, 7, nullptr), cudaSuccess);
        const auto by_two = EqualSegments{2};  // any iterator
        ASSERT_EQ(reduce(workspace, by_two, out.data() + 2, of, Sum<long long>{}, nullptr), cudaSuccess);
        const auto found = out.read();
        const long long count = std::min<long long>(n, MOST);
        const int expected = std::accumulate(values.begin(), values.begin() + count, 0);
        EXPECT_EQ(found[0], expected) << n;
        EXPECT_EQ(found[1], expected + 7) << n;
        EXPECT_EQ(found[2], static_cast<int>(count * (count - 1))) << n;
    }
    EXPECT_EQ(reduce(workspace, from, length.data(), OnDevice{length.data(), MOST}, Sum<int>{}, nullptr),
              cudaErrorInvalidValue);
}

TEST(LengthOnDevice, OfScansAndSelections) {
    constexpr long long MOST = 300'000;
    std::vector<int> values(MOST);
    for (long long i = 0; i < MOST; ++i) values[i] = static_cast<int>(i * 7919 % 1000);
    DeviceVector<int> in(values, 1), scanned(MOST), selected(MOST), flagged(MOST);
    DeviceVector<long long> length(1), number(2);
    const int* const from = in.data();
    const Workspace workspace(bytes_needed<double2>(MOST), nullptr);
    const OnDevice of{length.data(), MOST};
    const Below<int> low{300};
    for (const long long n : {0LL, 1LL, 5000LL, 123'457LL, 300'000LL, 400'000LL}) {
        ASSERT_EQ(cudaMemcpy(length.data(), &n, sizeof(n), cudaMemcpyHostToDevice), cudaSuccess);
        scanned.poison();
        ASSERT_EQ(inclusive_scan(workspace, from, scanned.data(), of, Sum<int>{}, 5, nullptr), cudaSuccess);
        ASSERT_EQ(select_if(workspace, from, selected.data(), number.data(), of, low, nullptr), cudaSuccess);
        ASSERT_EQ(select_flagged(workspace, from, from, flagged.data(), number.data() + 1, of, nullptr),
                  cudaSuccess);
        const auto sums = scanned.read(), below = selected.read(), not_0 = flagged.read();
        const auto found = number.read();
        long long count = 0, set = 0;
        int sum = 5;
        for (long long i = 0; i < std::min(n, MOST); ++i) {
            ASSERT_EQ(sums[i], sum += values[i]) << i << " of " << n;
            if (low(values[i])) ASSERT_EQ(below[count++], values[i]) << i << " of " << n;
            if (values[i] != 0) ASSERT_EQ(not_0[set++], values[i]) << i << " of " << n;
        }
        EXPECT_EQ(found, (std::vector<long long>{count, set})) << n;
        if (n < MOST) EXPECT_EQ(sums[n], -1) << "beyond the length";
    }
    EXPECT_EQ(workspace.status(), cudaSuccess);
}

TEST(InPlaceSelection, IsThatOfOtherPlaces) {
    for (const long long n : {1LL, 100LL, 5000LL, 300'000LL}) {
        std::vector<int> values(n), expected, odd;
        std::vector<char> flags(n);
        for (long long i = 0; i < n; ++i) {
            values[i] = static_cast<int>(i * 7919 % 1000);
            flags[i] = static_cast<char>(i % 5 < 3);
            if (values[i] < 900) expected.push_back(values[i]);
            if (flags[i] != 0) odd.push_back(values[i]);
        }
        DeviceVector<char> on_device(flags);
        DeviceVector<int> number(1);
        const Workspace workspace(bytes_needed<double2>(n), nullptr);
        for (const bool by_flags : {false, true}) {
            DeviceVector<int> data(values);
            ASSERT_EQ(
                by_flags ? select_flagged(workspace, data.data(), on_device.data(), number.data(), n, nullptr)
                         : select_if(workspace, data.data(), number.data(), n, Below<int>{900}, nullptr),
                cudaSuccess);
            auto found = data.read();
            found.resize(number.read()[0]);
            EXPECT_EQ(found, by_flags ? odd : expected) << n;
        }
    }
}

/// A length found by one call is that of the next, in a graph that is replayed on other data.
TEST(LengthOnDevice, InAGraph) {
    constexpr long long MOST = 20'000;
    DeviceVector<int> in(MOST), selected(MOST), sum(1);
    DeviceVector<long long> number(1);
    const int* const from = in.data();
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    {
        const Workspace workspace(bytes_needed<double2>(MOST), stream);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        EXPECT_EQ(select_if(workspace, from, selected.data(), number.data(), MOST, Below<int>{10}, stream),
                  cudaSuccess);
        EXPECT_EQ(
            reduce(workspace, selected.data(), sum.data(), OnDevice{number.data(), MOST}, Sum<int>{}, stream),
            cudaSuccess);
        ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
        for (const int modulus : {7, 40, 20'000}) {
            std::vector<int> values(MOST);
            int expected = 0;
            for (long long i = 0; i < MOST; ++i) values[i] = static_cast<int>(i % modulus);
            for (const int value : values) expected += value < 10 ? value : 0;
            ASSERT_EQ(cudaMemcpy(in.data(), values.data(), MOST * sizeof(int), cudaMemcpyHostToDevice),
                      cudaSuccess);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
            ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
            EXPECT_EQ(sum.read()[0], expected) << modulus;
        }
    }
    (void)cudaGraphExecDestroy(executable);
    (void)cudaGraphDestroy(graph);
    (void)cudaStreamDestroy(stream);
}

}  // namespace
