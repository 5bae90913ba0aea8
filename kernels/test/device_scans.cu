// Scans of a whole vector, for any element type, operator, length and alignment, in either form, in place or
// not.
#include <gtest/gtest.h>

#include <functional>

#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/test/machine.h"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"
#include "kernels/textbook/device/scan_reduce_then_scan.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"

using namespace trial;

namespace {

/// Small tiles, so that short vectors span many.
template <class T, class Op, Form FORM>
struct ReduceThenScans {
    using Scan = ReduceThenScan<T, Op, FORM, 64>;
    static constexpr int TILE = 64;
};
template <class T, class Op, Form FORM>
struct LookBackScans {
    using Scan = LookBackScan<T, Op, FORM, 3, 32>;
    static constexpr int TILE = 96;
};

/// A scan in one form of n elements by `scan`, in place or not.
template <class T, class Op>
void expect_scan(const std::function<void(const T* in, T* out, long long n)>& scan, bool inclusive,
                 std::size_t n, bool in_place) {
    const auto values = exact_elements<T>(n, unsigned(n));
    DeviceVector<T> in(values, n % 3), out(n, n % 5);
    if (n > 0) out.poison();
    DeviceVector<T>& target = in_place ? in : out;
    scan(in.data(), target.data(), static_cast<long long>(n));
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    const auto found = target.read(), expected = pure_oracle(values, n + 1, inclusive, Op{});
    for (std::size_t i = 0; i < n; ++i)
        ASSERT_TRUE(same(found[i], expected[i])) << "n " << n << ", element " << i;
}

template <class Scan, Form FORM, class T, class Op>
void expect_scan(Scan& scan, std::size_t n, bool in_place = false) {
    ASSERT_EQ(scan.status(), cudaSuccess);
    expect_scan<T, Op>([&](const T* in, T* out, long long length) { scan(in, out, length, Op{}, nullptr); },
                       FORM == Form::inclusive, n, in_place);
}

template <template <class, class, Form> class Scans, Form FORM, class T, class Op>
void expect_scans() {
    using S = Scans<T, Op, FORM>;
    constexpr std::size_t TILE = S::TILE;
    for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(31), std::size_t(33), TILE - 1,
                                TILE, TILE + 1, 7 * TILE + 5, 70 * TILE + 1}) {
        typename S::Scan scan(static_cast<long long>(n));
        expect_scan<typename S::Scan, FORM, T, Op>(scan, n, n % 2 == 0);
    }
}

template <class E>
class DeviceScan : public testing::Test {};
TYPED_TEST_SUITE(DeviceScan, EveryElement);

TYPED_TEST(DeviceScan, ReduceThenScan) {
    expect_scans<ReduceThenScans, Form::exclusive, typename TypeParam::Type, typename TypeParam::Operator>();
}
TYPED_TEST(DeviceScan, LookBack) {
    expect_scans<LookBackScans, Form::inclusive, typename TypeParam::Type, typename TypeParam::Operator>();
}

TEST(DeviceScans, TheOtherForm) {
    expect_scans<ReduceThenScans, Form::inclusive, Brackets, Bicyclic>();
    expect_scans<LookBackScans, Form::exclusive, Pure, PureSum>();
}

/// The default tile sizes.
template <class T, class Op>
void expect_default_tiles(std::size_t n) {
    LookBackScan<T, Op> look_back(n);
    expect_scan<LookBackScan<T, Op>, Form::inclusive, T, Op>(look_back, n);
    ReduceThenScan<T, Op> reduce_then_scan(n);
    expect_scan<ReduceThenScan<T, Op>, Form::inclusive, T, Op>(reduce_then_scan, n);
}

TEST(DeviceScans, DefaultTiles) {
    expect_default_tiles<std::int8_t, Sum<std::int8_t>>(30'000);
    expect_default_tiles<int, Sum<int>>(100'003);
    expect_default_tiles<Flagged<double>, Segmented<Sum<double>>>(10'007);
}

TEST(DeviceScans, ASpineOfTwoLevels) {
    using Scan = ReduceThenScan<Brackets, Bicyclic, Form::exclusive, 32>;
    Scan scan(40'000);
    expect_scan<Scan, Form::exclusive, Brackets, Bicyclic>(scan, 40'000);
}

TEST(DeviceScans, AnyInclusiveScanOfATile) {
    const std::size_t n = 3000;
    using S1 = ReduceThenScan<Brackets, Bicyclic, Form::exclusive, 256, ReduceTree<Threads::spaced>,
                              HillisSteele, Plain>;
    using S2 = ReduceThenScan<Brackets, Bicyclic, Form::inclusive, 256, ReduceTree<Threads::contiguous>,
                              KoggeStone<>>;
    S1 hillis_steele(n);
    S2 kogge_stone(n);
    expect_scan<S1, Form::exclusive, Brackets, Bicyclic>(hillis_steele, n);
    expect_scan<S2, Form::inclusive, Brackets, Bicyclic>(kogge_stone, n);
}

TEST(DeviceScans, OneWorkspaceServesShorterVectorsAgainAndAgain) {
    LookBackScan<int, Sum<int>> look_back(100'000);
    ReduceThenScan<int, Sum<int>> reduce_then_scan(100'000);
    for (const std::size_t n : {100'000, 1, 1025, 0, 50'000, 50'000}) {
        expect_scan<LookBackScan<int, Sum<int>>, Form::inclusive, int, Sum<int>>(look_back, n);
        expect_scan<ReduceThenScan<int, Sum<int>>, Form::inclusive, int, Sum<int>>(reduce_then_scan, n);
    }
}

/// Tiles of 96 elements by a chain of blocks that wait for one another.
template <class T, class Op, Form FORM>
void expect_any_order(std::size_t n, int orders) {
    LookBackScan<T, Op, FORM, 3, 32> scan(n);
    machine::in_orders(orders, [&] { expect_scan<decltype(scan), FORM, T, Op>(scan, n); });
}

TEST(LookBack, InAnyOrder) {
    expect_any_order<Pure, PureSum, Form::exclusive>(96 * 20 + 5, 200);
    expect_any_order<float, Max<float>, Form::inclusive>(96 * 100, 30);  // more than a warp looks back at
    expect_any_order<Affine<unsigned long long>, ComposeAffine<unsigned long long>, Form::inclusive>(
        96 * 20 + 5, 50);  // statuses of four words
}

/// The vector is read once and written once, whatever the order. Block by block, every tile finds its
/// predecessor's prefix at once.
TEST(LookBack, ReadsAndWritesOnce) {
    if (machine::is_gpu()) GTEST_SKIP() << "counts are of the SIMT machine";
    constexpr int TILES = 20, N = TILES * 96, SECTORS = N * 4 / 32;
    LookBackScan<float, Max<float>, Form::inclusive, 3, 32> scan(N);
    DeviceVector<float> in(exact_elements<float>(N, 1)), out(N);
    for (int seed = 0; seed < 10; ++seed) {
        sass::Options options = machine::options();
        options.counts = true;
        options.seed = std::uint64_t(seed);
        const auto counted =
            machine::record([&] { scan(in.data(), out.data(), N, Max<float>{}, nullptr); }, options)
                .launches.at(0)
                .total;
        EXPECT_EQ(counted.global_load_sectors - counted.volatile_load_sectors, SECTORS);
        EXPECT_EQ(counted.global_store_sectors, SECTORS + 2 * TILES - 1);  // the first tile has no aggregate
        EXPECT_EQ(counted.atomic_requests, TILES);
        if (seed == 0) {
            EXPECT_EQ(counted.volatile_load_requests, TILES - 1);
        }
    }
}

// --- Three phases, with either spine

template <class T, class Op>
std::vector<T> three_phases(Spine spine, const std::vector<T>& values, bool in_place = false) {
    DeviceVector<T> in(values, values.size() % 3), out(values.size(), values.size() % 5);
    if (!values.empty()) out.poison();
    ThreePhaseScan<T, Op> work(spine, values.size());
    EXPECT_EQ(work.status(), cudaSuccess);
    work(in.data(), in_place ? in.data() : out.data(), values.size(), Op{}, nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    return in_place ? in.read() : out.read();
}

template <class T, class Op>
void expect_three_phases(Spine spine, std::size_t n, bool in_place = false) {
    const auto values = random_vector<T>(n, unsigned(n));
    const auto found = three_phases<T, Op>(spine, values, in_place),
               expected = scan_oracle(values, n + 1, true, Op{});
    for (std::size_t i = 0; i < n; ++i)
        ASSERT_TRUE(same(found[i], expected[i])) << "n " << n << ", element " << i;
}

class ThreePhase : public testing::TestWithParam<Spine> {};
INSTANTIATE_TEST_SUITE_P(Spines, ThreePhase, testing::Values(Spine::host, Spine::device),
                         [](const auto& info) { return info.param == Spine::host ? "host" : "device"; });

TEST_P(ThreePhase, AnyLength) {
    for (const std::size_t n : {0, 1, 2, 31, 32, 33, 1023, 1024, 1025, 2047, 2048, 2049, 10'007, 65'536})
        expect_three_phases<int, Sum<int>>(GetParam(), n);
}

TEST_P(ThreePhase, OperatorsThatDoNotCommute) {
    for (const std::size_t n : {1, 33, 1024, 1025, 5000}) {
        expect_three_phases<Brackets, Bicyclic>(GetParam(), n);
        expect_three_phases<Affine<unsigned>, ComposeAffine<unsigned>>(GetParam(), n);
    }
}

TEST_P(ThreePhase, InPlace) { expect_three_phases<Brackets, Bicyclic>(GetParam(), 3333, true); }

/// More tile sums than one tile holds: the spine itself needs a spine. A single-block spine stops here.
TEST_P(ThreePhase, MoreThanAMillion) { expect_three_phases<int, Sum<int>>(GetParam(), 1024 * 1024 + 1025); }

TEST_P(ThreePhase, Floats) {
    const std::size_t n = 100'003;
    const auto values = random_vector<float>(n, 7);
    const auto found = three_phases<float, Sum<float>>(GetParam(), values);
    double sum = 0, magnitudes = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += values[i];
        magnitudes += std::fabs(values[i]);
        // Dependent additions: a tile's tree, then the spine (sequential on the host), then the final
        // addition.
        ASSERT_LE(std::fabs(found[i] - sum), sum_bound<float>(20 + 98 + 1, magnitudes)) << i;
    }
}

TEST_P(ThreePhase, OneWorkspaceServesShorterVectors) {
    ThreePhaseScan<int, Sum<int>> work(GetParam(), 100'000);
    for (const std::size_t n : {100'000, 1, 1025, 50'000}) {
        const auto values = random_vector<int>(n, unsigned(n));
        DeviceVector<int> in(values), out(n);
        work(in.data(), out.data(), n, Sum<int>{}, nullptr);
        ASSERT_EQ(out.read(), scan_oracle(values, n, true, Sum<int>{}));
    }
}

}  // namespace
