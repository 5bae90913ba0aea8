// One vector split over several GPUs by one process: 1,008 draws of type, operator, form, number of parts,
// their lengths, address, aliasing, algorithm and exchange.
#include "tests/gpu/parts_check.h"

namespace {

template <class Element>
class ScanOverGpus : public testing::Test {
   protected:
    using T = typename Element::Type;
    using Op = typename Element::Operator;
    static constexpr long long MOST = 9'000'000;  ///< more than one wave holds

    /// Draws of one form.
    template <Form FORM>
    static void expect_draws(PartsCheck<T, Op>& check, int draws) {
        const auto fast = check.template scans<FastPartScan<T, Op, FORM>>();
        const auto ring = check.template scans<RingPartScan<T, Op, FORM>>();
        std::vector<std::unique_ptr<FlagExchange<T>>> flags;  // for 1, 2, ... parts
        std::vector<int> devices;
        for (int p = 0; p < check.MOST_PARTS; ++p) {
            devices.push_back(p % device_count());
            flags.push_back(std::make_unique<FlagExchange<T>>(devices));
            ASSERT_EQ(flags.back()->status(), cudaSuccess);
        }
        std::mt19937 random(FORM == Form::inclusive ? 23 : 29);
        for (int draw = 0; draw < draws && !HasFatalFailure(); ++draw) {
            SCOPED_TRACE("draw " + std::to_string(draw));
            const auto cuts = drawn_cuts(MOST, check.MOST_PARTS, random);
            const bool in_place = random() % 3 == 0;
            const int offset = random() % 2 == 0 ? 0 : static_cast<int>(random() % 17);
            const auto by_flags = [&](const auto& parts) {
                auto& exchange = *flags[parts.size() - 1];
                const CallResult result = scan_parts(parts, Op{}, exchange);
                const std::string problem = exchange.wait(parts);
                return result == CallResult::success ? problem : describe(result);
            };
            const auto by_host = [&](const auto& parts) {
                const CallResult result = scan_parts(parts, Op{});
                return std::string(result == CallResult::success ? "" : describe(result));
            };
            switch (random() % 5) {
                case 0: check.expect(fast, cuts, FORM, in_place, offset, by_host); break;
                case 1: check.expect(ring, cuts, FORM, in_place, offset, by_host); break;
                case 2: check.expect(ring, cuts, FORM, in_place, offset, by_flags); break;
                default: check.expect(fast, cuts, FORM, in_place, offset, by_flags);
            }
        }
    }
};

using Drawn =
    testing::Types<Elements<std::int8_t, Sum<std::int8_t>>, Elements<int, Sum<int>>,
                   Elements<double, Sum<double>>, Elements<Affine<unsigned>, ComposeAffine<unsigned>>,
                   Elements<Row, Append>, Elements<Bytes<3>, JoinBytes<3>>,
                   Elements<Affine<unsigned long long>, ComposeAffine<unsigned long long>>>;
TYPED_TEST_SUITE(ScanOverGpus, Drawn, );

TYPED_TEST(ScanOverGpus, Draws) {
    PartsCheck<typename TestFixture::T, typename TestFixture::Op> check(TestFixture::MOST);
    this->template expect_draws<Form::inclusive>(check, 72);
    this->template expect_draws<Form::exclusive>(check, 72);
}

/// Consecutive calls without synchronisation between them, so that some GPUs get ahead of others.
TEST(ScanOverGpus, CallsInARow) {
    constexpr int N = 10'000, CALLS = 500;
    using Scan = FastPartScan<int, Sum<int>>;
    std::vector<std::unique_ptr<DeviceVector<int>>> vectors;
    std::vector<std::unique_ptr<Scan>> scans;
    std::vector<Part<Scan, int>> parts;
    std::vector<int> devices;
    for (int p = 0; p < device_count(); ++p) {
        ASSERT_EQ(cudaSetDevice(p), cudaSuccess);
        vectors.push_back(std::make_unique<DeviceVector<int>>(std::vector<int>(N, p + 1)));
        scans.push_back(std::make_unique<Scan>(N));
        parts.push_back({p, nullptr, scans.back().get(), vectors.back()->data(), vectors.back()->data(), N});
        devices.push_back(p);
    }
    FlagExchange<int> exchange(devices);
    ASSERT_EQ(exchange.status(), cudaSuccess);
    for (int call = 0; call < CALLS; ++call) {
        auto now = parts;
        if (call + 1 < CALLS)
            for (std::size_t p = 0; p < now.size(); ++p) now[p].n = 1 + (call * 37 + p * 11) % 200;
        for (std::size_t p = 0; p < now.size(); ++p) {  // restore what earlier calls overwrote
            ASSERT_EQ(cudaSetDevice(int(p)), cudaSuccess);
            ASSERT_EQ(cudaMemsetAsync(now[p].out, int(p) + 1, now[p].n * sizeof(int), nullptr), cudaSuccess);
        }
        ASSERT_EQ(scan_parts(now, Sum<int>{}, exchange), CallResult::success);
    }
    ASSERT_EQ(exchange.wait(parts), "");
    unsigned sum = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        ASSERT_EQ(cudaSetDevice(int(p)), cudaSuccess);
        const unsigned each = 0x01010101u * unsigned(p + 1);
        const auto found = vectors[p]->read();
        for (int i = 0; i < N; ++i) ASSERT_EQ(unsigned(found[i]), sum + each * unsigned(i + 1)) << p;
        sum += each * N;
    }
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST(ScanOverGpus, AOneWaveTimeoutIsReported) {
    constexpr int N = 100'000;
    using Scan = FastPartScan<int, Sum<int>>;
    DeviceVector<int> vector(std::vector<int>(N, 1));
    Scan scan(N);
    const std::vector<Part<Scan, int>> parts = {{0, nullptr, &scan, vector.data(), vector.data(), N},
                                                {0, nullptr, &scan, vector.data(), vector.data(), N}};
    FlagExchange<int> exchange({0, 0}, 10'000);
    std::vector<PartTotals<int>> totals;
    ASSERT_EQ(exchange.begin_call(parts, totals), CallResult::success);
    ASSERT_EQ(scan.scan_one_wave(vector.data(), vector.data(), N, Sum<int>{}, nullptr, totals[1]),
              CallResult::success);
    EXPECT_TRUE(ends_within(10, nullptr));
    EXPECT_EQ(exchange.wait(parts), "part 1 timed out waiting for its predecessors");
}

}  // namespace
