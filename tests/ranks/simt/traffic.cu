// The data that a scan over ranks moves, counted on each rank.
#include "experiments/closed_forms/parts.h"
#include "simt/simt.h"
#include "tests/ranks/ranks_test.h"

namespace {

/// The counts of the scan of this rank's part.
template <class T>
simt::Recording record_my_part(const std::vector<long long>& cuts) {
    using Op = Sum<T>;
    MpiExchange exchange(*ranks);
    simt::Recording recording;
    expect_my_part<PartScan<T, Op>, Form::inclusive, T, Op>(
        cuts, false, [&](auto& scan, const T* in, T* out, long long length) {
            recording = simt::record(
                [&] { EXPECT_EQ(scan(in, out, length, Op{}, exchange, nullptr), CallResult::success); });
        });
    return recording;
}

/// Sectors of one part. It is read for its total, then read and written by its scan: 3 n. The last part needs
/// no total: 2 n. The reduction's block sums, the tile statuses and the seed are added.
template <class T>
void expect_traffic(const std::vector<long long>& cuts) {
    constexpr long long REDUCED = raking_items<T>() * 256, SCANNED = look_back_items<T>() * 256;
    constexpr long long BYTES = sizeof(T);
    using harness::closed_form::ceil_div;
    const auto sectors = [](long long n) { return ceil_div(n * BYTES, 32); };
    const auto counted = record_my_part<T>(cuts).total();
    const long long n = cuts[ranks->rank() + 1] - cuts[ranks->rank()];
    const bool last = ranks->is_last(), seeded = cuts[ranks->rank()] > 0;
    long long loads = 0, stores = 0;
    if (n > 0) {
        loads = sectors(n) + 1 + seeded;  // the flag whether a seed exists, and the seed
        stores = harness::closed_form::look_back(n, SCANNED, BYTES).store_sectors;
    }
    if (n > 0 && !last) {
        const long long blocks = ceil_div(n, REDUCED);
        loads += sectors(n) + sectors(blocks);
        stores += blocks + 1;
    }
    EXPECT_EQ(counted.global_load_sectors, loads);
    EXPECT_EQ(counted.global_store_sectors, stores);
    if (n > 0) {
        EXPECT_NEAR(double(loads + stores) / double(sectors(n)), last ? 2 : 3, 0.02);
    }
}

TEST(Traffic, ThreeVectorsAPartAndTwoOfTheLast) {
    std::vector<long long> even, uneven = {0};
    for (int r = 0; r <= ranks->size(); ++r) even.push_back(r * 12'288LL);
    for (int r = 1; r <= ranks->size(); ++r) uneven.push_back(uneven.back() + (r % 3 == 2 ? 0 : 10'001 + r));
    expect_traffic<int>(even);
    expect_traffic<double>(even);
    expect_traffic<int>(uneven);
    expect_traffic<long long>(uneven);
}

/// Two kernels per part, one for the last; one total to the host, one prefix to the device.
TEST(Traffic, LaunchesAndCopies) {
    std::vector<long long> cuts;
    for (int r = 0; r <= ranks->size(); ++r) cuts.push_back(r * 100LL);
    const auto recording = record_my_part<int>(cuts);
    EXPECT_EQ(recording.launches.size(), ranks->is_last() ? 1u : 2u);
    EXPECT_EQ(recording.bytes_to_host, ranks->is_last() ? 0 : std::int64_t(sizeof(int)));
    EXPECT_EQ(recording.bytes_to_device, std::int64_t(sizeof(Prefix<int>)));
}

}  // namespace

int main(int argc, char** argv) { return run_rank_tests(argc, argv); }
