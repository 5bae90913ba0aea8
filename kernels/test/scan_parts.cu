// One vector split into parts in one process, over several GPUs if there are, for any element type, operator
// and parts, in either form, in place or not.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/multi_gpu/flag_exchange.cuh"
#include "kernels/multi_gpu/host_exchange.cuh"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/test/bytes.h"
#include "kernels/test/machine.h"
#include "kernels/test/parts.h"

using namespace trial;

namespace {

/// The path by which totals are exchanged.
enum class Way { host, flags };

template <class Scan, class T, class Op>
std::string scan_by(Way way, const std::vector<Part<Scan, T>>& parts, Op op) {
    cudaError_t result = cudaSuccess;
    std::string problem;
    if (way == Way::host) {
        result = scan_parts(parts, op);
    } else {
        std::vector<int> devices;
        for (const auto& part : parts) devices.push_back(part.device);
        FlagExchange<T> exchange(devices);
        EXPECT_EQ(exchange.status(), cudaSuccess);
        result = scan_parts(parts, op, exchange);
        problem = exchange.wait(parts);
    }
    return result == cudaSuccess ? problem : std::string(cudaGetErrorString(result));
}

template <class Scan, Form FORM, class T, class Op>
void expect_parts_by(Way way, const std::vector<long long>& cuts, bool in_place) {
    expect_parts<Scan, FORM, T, Op>(cuts, in_place,
                                    [=](const auto& parts) { return scan_by(way, parts, Op{}); });
}

template <class T_, class Op_, Form FORM_>
struct Case {
    using T = T_;
    using Op = Op_;
    static constexpr Form FORM = FORM_;
};
using Affine16 = Affine<unsigned long long>;
using Compose16 = ComposeAffine<unsigned long long>;
constexpr Form IN = Form::inclusive, EX = Form::exclusive;

template <class Case>
class ScanParts : public testing::Test {};
using Cases = SomeThenOthers<
    testing::Types<Case<std::int8_t, Sum<std::int8_t>, IN>, Case<Pure, PureSum, EX>,
                   Case<Affine16, Compose16, IN>>,
    testing::Types<Case<std::int16_t, Min<std::int16_t>, EX>, Case<float, Max<float>, IN>,
                   Case<Brackets, Bicyclic, IN>, Case<double, Sum<double>, EX>, Case<Row, Append, EX>,
                   Case<Flagged<int>, Segmented<Sum<int>>, IN>, Case<Affine16, Compose16, EX>>>;
TYPED_TEST_SUITE(ScanParts, Cases, );

TYPED_TEST(ScanParts, OfSmallTiles) {
    using T = typename TypeParam::T;
    using Op = typename TypeParam::Op;
    using Scan = SmallPartScan<T, Op, TypeParam::FORM>;
    const std::vector<std::vector<long long>> by_hand = {
        {0, 0},                  // one empty part
        {0, 1},                  // one element
        {0, 0, 0, 0},            // three empty parts
        {0, 1, 2, 3, 3, 3},      // fewer elements than parts
        {0, 0, 0, 500},          // all in the last part
        {0, 500, 500, 500},      // all in the first part
        {0, 96, 192, 192, 289},  // whole tiles, none, and one extra element
        {0, 2000, 2001, 2001, 2400},
    };
    for (const Way way : {Way::host, Way::flags}) {
        for (const auto& cuts : by_hand)
            expect_parts_by<Scan, TypeParam::FORM, T, Op>(way, cuts, cuts.size() % 2 == 0);
        std::mt19937 random(7);
        for (int draw = 0; draw < 12 && !this->HasFatalFailure(); ++draw) {
            SCOPED_TRACE("draw " + std::to_string(draw));
            const auto cuts = random_cuts(random() % 2000, 1 + int(random() % 7), random);
            expect_parts_by<Scan, TypeParam::FORM, T, Op>(way, cuts, draw % 2 == 0);
        }
    }
}

/// Tiles of eight warps, full and not. Those above have one warp.
TEST(ScanPartsOfWideTiles, AreInOrder) {
    const std::vector<long long> cuts = {0, 700, 4540, 9000};
    using A = Affine<unsigned>;
    using Compose = ComposeAffine<unsigned>;
    for (const Way way : {Way::host, Way::flags}) {
        expect_parts_by<PartScan<int, Sum<int>>, IN, int, Sum<int>>(way, cuts, false);
        expect_parts_by<PartScan<A, Compose, EX>, EX, A, Compose>(way, cuts, true);
    }
}

/// Tile k holds k + 1; that of tile `nearest` is a prefix.
__global__ void look_back(ChainStatus<int> status, int tile, int nearest, int* prefix) {
    if (threadIdx.x == 0)
        for (int k = 0; k < tile; ++k)
            status.write(k, k == nearest ? ChainState::prefix : ChainState::aggregate, k + 1);
    __syncwarp();
    const int found = look_back_from(status, tile, Sum<int>{});
    if (threadIdx.x == 0) *prefix = found;
}

TEST(LookBackFrom, AddsUpWhatFollowsTheNearestPrefix) {
    for (const auto& [tile, nearest] : {std::pair{1, 0}, {5, 2}, {32, 0}, {33, 0}, {70, 3}, {70, 60}}) {
        DeviceVector<unsigned long long> words{std::vector<unsigned long long>(tile)};
        DeviceVector<int> prefix(std::vector<int>(1));
        launch(look_back, 1, 32, nullptr, ChainStatus<int>(words.data()), tile, nearest, prefix.data());
        EXPECT_EQ(prefix.read()[0], (tile - nearest) * (tile + nearest + 1) / 2) << tile << ", " << nearest;
    }
}

/// Scans a part with the ring, whatever its length.
template <class T, class Op, Form FORM>
class RingScan {
   public:
    explicit RingScan(long long capacity) : workspace_(scan_bytes<T>(capacity)) {}
    cudaError_t status() const { return workspace_.status(); }
    cudaError_t operator()(const T* in, T* out, long long n, const Prefix<T>* seed, Op op,
                           cudaStream_t stream) {
        const ScanProblem<T> problem = {in, out, n, {{}, false}, seed};
        const Workspace& workspace = workspace_;
        return scan_detail::with_place(workspace, problem, stream, [&](const scan_detail::Place& place) {
            return scan_detail::ring<RingPolicy<T>, FORM>(place, problem, op);
        });
    }
    bool fits_one_wave(long long) const { return false; }
    template <class Totals>
    cudaError_t scan_one_wave(const T*, T*, long long, Op, cudaStream_t, const Totals&) {
        return cudaErrorInvalidValue;
    }

   private:
    ReadyWorkspace workspace_;
};

/// Parts scanned by the ring, and reduced in descending order in many short chunks.
template <class T>
using DescendingChunks = WarpChunksPolicy<256, DefaultWarpChunks<T>::ROWS, 8192, 2, true>;
template <class T, class Op, Form FORM>
using RingPartScan =
    PartScan<T, Op, FORM, WarpChunksReduction<T, Op, DescendingChunks<T>>, RingScan<T, Op, FORM>>;

/// By the kernels for GPUs: lengths are spread over orders of magnitude; about every fifth vector has fewer
/// elements than parts.
template <class Case>
class FastParts : public testing::Test {};
using FastCases =
    SomeThenOthers<testing::Types<Case<int, Sum<int>, IN>>,
                   testing::Types<Case<std::int8_t, Sum<std::int8_t>, EX>, Case<double, Sum<double>, IN>,
                                  Case<Affine<unsigned>, ComposeAffine<unsigned>, EX>,
                                  Case<Affine16, Compose16, IN>, Case<Row, Append, EX>>>;
TYPED_TEST_SUITE(FastParts, FastCases, );

TYPED_TEST(FastParts, Draws) {
    using T = typename TypeParam::T;
    using Op = typename TypeParam::Op;
    const double most = machine::is_gpu() ? 9e6 : 1e5;  // more than one wave holds
    std::mt19937 random(23);
    for (int draw = 0; draw < 40 && !this->HasFatalFailure(); ++draw) {
        SCOPED_TRACE("draw " + std::to_string(draw));
        const int count = 1 + static_cast<int>(random() % 5);
        const double exponent = std::uniform_real_distribution<>(0, std::log(most))(random);
        const long long n = draw % 5 == 0 ? draw % (count + 1) : static_cast<long long>(std::exp(exponent));
        const auto cuts = random_cuts(n, count, random);
        const Way way = draw % 3 == 0 ? Way::host : Way::flags;
        if (draw % 4 < 2)
            expect_parts_by<FastPartScan<T, Op, TypeParam::FORM>, TypeParam::FORM, T, Op>(way, cuts,
                                                                                          draw % 3 == 1);
        else
            expect_parts_by<RingPartScan<T, Op, TypeParam::FORM>, TypeParam::FORM, T, Op>(way, cuts,
                                                                                          draw % 3 == 1);
    }
}

/// Consecutive calls without synchronisation between them, so that some GPUs get ahead of others.
TEST(FastPartsInARow, AreInOrder) {
    const int n = 10'000, calls = machine::is_gpu() ? 500 : 50;
    using Scan = FastPartScan<int, Sum<int>>;
    std::vector<std::unique_ptr<Held<Scan, int>>> held;
    std::vector<Part<Scan, int>> parts;
    std::vector<int> devices;
    for (int p = 0; p < device_count(); ++p) {
        held.push_back(std::make_unique<Held<Scan, int>>(p, std::vector<int>(n, p + 1)));
        parts.push_back(held.back()->part(true));
        devices.push_back(p);
    }
    FlagExchange<int> exchange(devices);
    ASSERT_EQ(exchange.status(), cudaSuccess);
    for (int call = 0; call < calls; ++call) {
        auto now = parts;
        if (call + 1 < calls)
            for (std::size_t p = 0; p < now.size(); ++p) now[p].n = 1 + (call * 37 + p * 11) % 200;
        for (std::size_t p = 0; p < now.size(); ++p) {  // restore what earlier calls overwrote
            ASSERT_EQ(cudaSetDevice(int(p)), cudaSuccess);
            ASSERT_EQ(cudaMemsetAsync(now[p].out, int(p) + 1, now[p].n * sizeof(int), nullptr), cudaSuccess);
        }
        ASSERT_EQ(scan_parts(now, Sum<int>{}, exchange), cudaSuccess);
    }
    ASSERT_EQ(exchange.wait(parts), "");
    unsigned sum = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        ASSERT_EQ(cudaSetDevice(int(p)), cudaSuccess);
        const unsigned short_call = 0x01010101u * unsigned(p + 1);
        const auto found = held[p]->in.read();
        for (int i = 0; i < n; ++i) ASSERT_EQ(unsigned(found[i]), sum + short_call * unsigned(i + 1)) << p;
        sum += short_call * n;
    }
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST(FastPartsInARow, ThatMissATotalTimeOut) {
    constexpr int N = 100'000;
    using Scan = FastPartScan<int, Sum<int>>;
    Held<Scan, int> held(0, std::vector<int>(N, 1));
    const std::vector<Part<Scan, int>> parts(2, held.part(true));
    FlagExchange<int> exchange({0, 0}, 100);
    std::vector<PartTotals<int>> totals;
    ASSERT_EQ(exchange.begin_call(parts, totals), cudaSuccess);
    ASSERT_EQ(held.scan->scan_one_wave(held.in.data(), held.in.data(), N, Sum<int>{}, nullptr, totals[1]),
              cudaSuccess);
    EXPECT_EQ(exchange.wait(parts), "part 1 timed out waiting for its predecessors");
}

TEST(ScanPartsErrors, ADeviceThatIsNotThere) {
    using Scan = PartScan<int, Sum<int>>;
    Held<Scan, int> first(0, std::vector<int>(10, 1)), second(0, std::vector<int>(10, 1));
    const std::vector<Part<Scan, int>> parts = {
        {0, nullptr, first.scan.get(), first.in.data(), first.out.data(), 10},
        {device_count(), nullptr, second.scan.get(), second.in.data(), second.out.data(), 10}};
    EXPECT_EQ(scan_parts(parts, Sum<int>{}), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(ScanPartsErrors, PartsThatDoNotFit) {
    using Scan = PartScan<int, Sum<int>>;
    Held<Scan, int> first(0, std::vector<int>(10, 1)), second(0, std::vector<int>(10, 1));
    const auto result_of = [&](long long n) {
        const std::vector<Part<Scan, int>> parts = {
            {0, nullptr, first.scan.get(), first.in.data(), first.out.data(), 10},
            {0, nullptr, second.scan.get(), second.in.data(), second.out.data(), n}};
        return scan_parts(parts, Sum<int>{});
    };
    EXPECT_EQ(result_of(-1), cudaErrorInvalidValue);
    EXPECT_EQ(result_of(11), cudaErrorInvalidValue);
    EXPECT_EQ(first.out.read()[0], -1) << "nothing is queued if a part does not fit";
    EXPECT_EQ(result_of(10), cudaSuccess);
}

/// Two parts of one vector, scanned repeatedly with the same exchange.
class TwoParts {
   public:
    static constexpr int N = 100;
    using Scan = PartScan<int, Sum<int>>;

    TwoParts() : first_(0, std::vector<int>(N, 1)), second_(device_count() - 1, std::vector<int>(N, 1)) {
        EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    }
    std::vector<Part<Scan, int>> parts() {
        return {{0, nullptr, first_.scan.get(), first_.in.data(), first_.out.data(), N},
                {device_count() - 1, nullptr, second_.scan.get(), second_.in.data(), second_.out.data(), N}};
    }
    int last() const { return second_.out.read().back(); }

   private:
    Held<Scan, int> first_, second_;
};

/// Only part 1 runs the exchange, so it times out.
void expect_timeout(FlagExchange<int>& exchange, const std::vector<Part<TwoParts::Scan, int>>& parts,
                    const std::vector<PartTotals<int>>& totals) {
    ASSERT_EQ(cudaSetDevice(parts[1].device), cudaSuccess);
    launch(exchange_totals<int, Sum<int>>, 1, 32, nullptr, parts[1].scan->total(), totals[1],
           parts[1].scan->prefix(), Sum<int>{});
    EXPECT_EQ(exchange.wait(parts), "part 1 timed out waiting for its predecessors");
}

TEST(FlagExchange, ManyCallsUseTheSameSlots) {
    TwoParts two;
    const auto parts = two.parts();
    FlagExchange<int> exchange({parts[0].device, parts[1].device});
    ASSERT_EQ(exchange.status(), cudaSuccess);
    for (int call = 0; call < 200; ++call) ASSERT_EQ(scan_parts(parts, Sum<int>{}, exchange), cudaSuccess);
    EXPECT_EQ(exchange.wait(parts), "");
    EXPECT_EQ(two.last(), 2 * TwoParts::N);
}

/// After 2^32 - 1 calls, a slot unused since then would hold an old total with the current version.
TEST(FlagExchange, VersionsStartOver) {
    constexpr long long VERSIONS = 0xffffffff;
    TwoParts two;
    const auto parts = two.parts();
    FlagExchange<int> exchange({parts[0].device, parts[1].device}, 1000, can_access_peer, VERSIONS - 40);
    for (int call = 0; call < 100; ++call) ASSERT_EQ(scan_parts(parts, Sum<int>{}, exchange), cudaSuccess);
    EXPECT_EQ(exchange.wait(parts), "");
    EXPECT_EQ(two.last(), 2 * TwoParts::N);

    FlagExchange<int> old({parts[0].device, parts[1].device}, 1000, can_access_peer, VERSIONS - 64);
    std::vector<PartTotals<int>> totals;
    ASSERT_EQ(old.begin_call(parts, totals), cudaSuccess);
    for (auto& each : totals) each.version = 1;  // as in the very first call
    ASSERT_EQ(old.exchange(parts, totals, Sum<int>{}), cudaSuccess);
    for (int call = 0; call < 64; ++call) ASSERT_EQ(old.begin_call(parts, totals), cudaSuccess);
    EXPECT_EQ(totals[1].version, 1u);
    expect_timeout(old, parts, totals);
}

TEST(FlagExchange, AGpuThatDoesNotReachAnotherOneIsAnErrorAtOnce) {
    const auto no_peer_access = [](int, int) { return false; };
    EXPECT_EQ(FlagExchange<int>({0, 1}, 10, no_peer_access).status(), cudaErrorPeerAccessUnsupported);
    EXPECT_EQ(FlagExchange<int>({0, 0}, 10, no_peer_access).status(), cudaSuccess);  // local memory is fine
    EXPECT_EQ(FlagExchange<int>(std::vector<int>(33, 0)).status(), cudaErrorInvalidValue);
    EXPECT_EQ(FlagExchange<int>({}).status(), cudaErrorInvalidValue);
}

TEST(FlagExchange, AMissingTotalTimesOut) {
    TwoParts two;
    const auto parts = two.parts();
    FlagExchange<int> exchange({parts[0].device, parts[1].device}, 1000);
    std::vector<PartTotals<int>> totals;
    ASSERT_EQ(exchange.begin_call(parts, totals), cudaSuccess);
    expect_timeout(exchange, parts, totals);
    EXPECT_EQ(exchange.wait(parts), "");  // reported once
    ASSERT_EQ(scan_parts(parts, Sum<int>{}, exchange), cudaSuccess);
    EXPECT_EQ(exchange.wait(parts), "");
    EXPECT_EQ(two.last(), 2 * TwoParts::N);
}

TEST(FlagExchange, AsManyPartsAsItWasMadeFor) {
    TwoParts two;
    FlagExchange<int> exchange({0});
    EXPECT_EQ(scan_parts(two.parts(), Sum<int>{}, exchange), cudaErrorInvalidValue);
}

}  // namespace
