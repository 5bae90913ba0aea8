// One vector split into parts in one process, for any element type, operator and parts, in either form, in
// place or not.
#include "kernels/multi_gpu/flag_exchange.cuh"
#include "kernels/multi_gpu/host_exchange.cuh"

#include <gtest/gtest.h>

#include <memory>

#include "tests/device_vector.h"
#include "tests/kernels/elements.h"
#include "tests/parts.h"

namespace {

int devices() {
    int count = 0;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    return count;
}

/// One part on its device; parts are assigned round-robin.
template <class Scan, class T>
struct Held {
    Held(int device, const std::vector<T>& values) : device(select(device)), in(values), out(values.size()) {
        if (!values.empty()) out.poison();
        scan = std::make_unique<Scan>(static_cast<long long>(values.size()));
        EXPECT_EQ(scan->status(), cudaSuccess);
    }
    /// Later allocations are made on this device.
    static int select(int device) {
        EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
        return device;
    }
    int device;
    DeviceVector<T> in, out;
    std::unique_ptr<Scan> scan;
};

/// The path by which totals are exchanged.
enum class Way { host, flags };

template <class Scan, class T, class Op>
CallResult scan_by(Way way, const std::vector<Part<Scan, T>>& parts, Op op) {
    if (way == Way::host) return scan_parts(parts, op);
    std::vector<int> devices_of_parts;
    for (const auto& part : parts) devices_of_parts.push_back(part.device);
    FlagExchange<T> exchange(devices_of_parts);
    EXPECT_EQ(exchange.status(), cudaSuccess);
    const CallResult result = scan_parts(parts, op, exchange);
    EXPECT_EQ(exchange.wait(parts), "");
    return result;
}

template <class Scan, Form FORM, class T, class Op>
void expect_parts(const std::vector<long long>& cuts, bool in_place, Way way) {
    const auto n = static_cast<std::size_t>(cuts.back());
    const auto values = exact_elements<T>(n, unsigned(n));
    const auto expected = pure_oracle(values, n + 1, FORM == Form::inclusive, Op{});
    const int count = devices();
    std::vector<std::unique_ptr<Held<Scan, T>>> held;
    std::vector<Part<Scan, T>> parts;
    for (std::size_t p = 0; p + 1 < cuts.size(); ++p) {
        const int device = static_cast<int>(p) % count;
        const std::vector<T> mine(values.begin() + cuts[p], values.begin() + cuts[p + 1]);
        held.push_back(std::make_unique<Held<Scan, T>>(device, mine));
        auto& part = *held.back();
        parts.push_back({device, nullptr, part.scan.get(), part.in.data(),
                         in_place ? part.in.data() : part.out.data(), cuts[p + 1] - cuts[p]});
    }
    ASSERT_EQ(scan_by(way, parts, Op{}), CallResult::success);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    for (std::size_t p = 0; p < held.size(); ++p) {
        ASSERT_EQ(cudaSetDevice(held[p]->device), cudaSuccess);
        const auto found = in_place ? held[p]->in.read() : held[p]->out.read();
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_TRUE(same(found[i], expected[std::size_t(cuts[p]) + i]))
                << "part " << p << " of " << held.size() << ", element " << i << " of " << found.size();
    }
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

template <Form FORM, class T, class Op>
void expect_form(Way way) {
    using Scan = SmallPartScan<T, Op, FORM>;
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
    for (const auto& cuts : by_hand) expect_parts<Scan, FORM, T, Op>(cuts, cuts.size() % 2 == 0, way);
    std::mt19937 random(7);
    for (int draw = 0; draw < 6; ++draw) {
        const auto cuts = random_cuts(random() % 2000, 1 + int(random() % 7), random);
        SCOPED_TRACE("draw " + std::to_string(draw));
        expect_parts<Scan, FORM, T, Op>(cuts, draw % 2 == 0, way);
    }
}

template <class E>
class ScanParts : public testing::Test {};
TYPED_TEST_SUITE(ScanParts, EveryElement);

TYPED_TEST(ScanParts, Inclusive) {
    for (const Way way : {Way::host, Way::flags})
        expect_form<Form::inclusive, typename TypeParam::Type, typename TypeParam::Operator>(way);
}
TYPED_TEST(ScanParts, Exclusive) {
    for (const Way way : {Way::host, Way::flags})
        expect_form<Form::exclusive, typename TypeParam::Type, typename TypeParam::Operator>(way);
}

TEST(ScanPartsInUsualTiles, LongParts) {
    expect_parts<PartScan<int, Sum<int>>, Form::inclusive, int, Sum<int>>({0, 40'000, 40'000, 70'001}, false,
                                                                          Way::host);
    using Scan = PartScan<Brackets, Bicyclic, Form::exclusive>;
    expect_parts<Scan, Form::exclusive, Brackets, Bicyclic>({0, 9'001, 25'000, 31'111}, true, Way::flags);
}

TEST(ScanPartsErrors, ADeviceThatIsNotThere) {
    using Scan = PartScan<int, Sum<int>>;
    Held<Scan, int> first(0, std::vector<int>(10, 1)), second(0, std::vector<int>(10, 1));
    const std::vector<Part<Scan, int>> parts = {
        {0, nullptr, first.scan.get(), first.in.data(), first.out.data(), 10},
        {devices(), nullptr, second.scan.get(), second.in.data(), second.out.data(), 10}};
    EXPECT_EQ(scan_parts(parts, Sum<int>{}), CallResult::cuda_error);
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
    EXPECT_EQ(result_of(-1), CallResult::negative_length);
    EXPECT_EQ(result_of(11), CallResult::workspace_too_small);
    EXPECT_EQ(first.out.read()[0], -1) << "nothing is queued if a part does not fit";
    EXPECT_EQ(result_of(10), CallResult::success);
}

/// Two parts of one vector, scanned repeatedly with the same exchange.
class TwoParts {
   public:
    static constexpr int N = 100;
    using Scan = PartScan<int, Sum<int>>;

    TwoParts() : first_(0, std::vector<int>(N, 1)), second_(devices() - 1, std::vector<int>(N, 1)) {
        EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    }
    std::vector<Part<Scan, int>> parts() {
        return {{0, nullptr, first_.scan.get(), first_.in.data(), first_.out.data(), N},
                {devices() - 1, nullptr, second_.scan.get(), second_.in.data(), second_.out.data(), N}};
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
    for (int call = 0; call < 200; ++call)
        ASSERT_EQ(scan_parts(parts, Sum<int>{}, exchange), CallResult::success);
    EXPECT_EQ(exchange.wait(parts), "");
    EXPECT_EQ(two.last(), 2 * TwoParts::N);
}

/// After 2^32 - 1 calls, a slot unused since then would hold an old total with the current version.
TEST(FlagExchange, VersionsStartOver) {
    constexpr long long VERSIONS = 0xffffffff;
    TwoParts two;
    const auto parts = two.parts();
    FlagExchange<int> exchange({parts[0].device, parts[1].device}, 1000, can_access_peer, VERSIONS - 40);
    for (int call = 0; call < 100; ++call)
        ASSERT_EQ(scan_parts(parts, Sum<int>{}, exchange), CallResult::success);
    EXPECT_EQ(exchange.wait(parts), "");
    EXPECT_EQ(two.last(), 2 * TwoParts::N);

    FlagExchange<int> old({parts[0].device, parts[1].device}, 1000, can_access_peer, VERSIONS - 64);
    std::vector<PartTotals<int>> totals;
    ASSERT_EQ(old.begin_call(parts, totals), CallResult::success);
    for (auto& each : totals) each.version = 1;  // as in the very first call
    ASSERT_EQ(old.exchange(parts, totals, Sum<int>{}), CallResult::success);
    for (int call = 0; call < 64; ++call) ASSERT_EQ(old.begin_call(parts, totals), CallResult::success);
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
    ASSERT_EQ(exchange.begin_call(parts, totals), CallResult::success);
    expect_timeout(exchange, parts, totals);
    EXPECT_EQ(exchange.wait(parts), "");  // reported once
    ASSERT_EQ(scan_parts(parts, Sum<int>{}, exchange), CallResult::success);
    EXPECT_EQ(exchange.wait(parts), "");
    EXPECT_EQ(two.last(), 2 * TwoParts::N);
}

TEST(FlagExchange, AsManyPartsAsItWasMadeFor) {
    TwoParts two;
    FlagExchange<int> exchange({0});
    EXPECT_EQ(scan_parts(two.parts(), Sum<int>{}, exchange), CallResult::other_number_of_parts);
}

}  // namespace
