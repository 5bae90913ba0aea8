// What kernels do is what their files and the closed forms say: operations, barriers, requests, wavefronts,
// sectors, launches, copies. Counted on the SIMT machine, of floats: an operation on them is one instruction.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include "experiments/closed_forms/compaction.h"
#include "experiments/closed_forms/device_reductions.h"
#include "experiments/closed_forms/device_scans.h"
#include "experiments/closed_forms/parts.h"
#include "experiments/closed_forms/radix_sort.h"
#include "experiments/closed_forms/run_length_decoding.h"
#include "experiments/closed_forms/tile_scans.h"

#include <gtest/gtest.h>

#include <map>

#include "kernels/operators.cuh"
#include "kernels/predicates.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/test/machine.h"
#include "kernels/test/scan_of_tiles.h"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_hillis_steele_two_buffers.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/block/scan_raking.cuh"
#include "kernels/textbook/block/scan_sklansky.cuh"
#include "kernels/textbook/device/compact.cuh"
#include "kernels/textbook/device/compact_atomic.cuh"
#include "kernels/textbook/device/radix_sort.cuh"
#include "kernels/textbook/device/reduce_atomic.cuh"
#include "kernels/textbook/device/reduce_last_block.cuh"
#include "kernels/textbook/device/reduce_recursive.cuh"
#include "kernels/textbook/device/reduce_tiles.cuh"
#include "kernels/textbook/device/run_length_decode.cuh"
#include "kernels/textbook/device/run_length_decode_atomic.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"
#include "kernels/textbook/device/scan_reduce_then_scan.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"

using namespace trial;

namespace {

namespace forms = harness::closed_form;
using machine::count;
using machine::total_of;
using Op = Sum<float>;

void expect_cost(const machine::Counts& counted, const forms::TileCost& predicted) {
    EXPECT_EQ(counted.ops, predicted.ops);
    EXPECT_EQ(counted.barriers, predicted.barriers);
    EXPECT_LE(counted.shared_load_requests, predicted.shared_load_requests);  // nvcc merges some
    EXPECT_EQ(counted.shared_store_requests, predicted.shared_store_requests);
    EXPECT_EQ(counted.shared_store_wavefronts, predicted.shared_store_wavefronts);
    EXPECT_LE(counted.bank_conflicts(), predicted.bank_conflicts());
}

machine::Counts count(const ScanOfTiles<float, Op>& scan) {
    DeviceVector<float> in(std::vector<float>(scan.tile, 1)), out(scan.tile);
    return count([&] { scan(in.data(), out.data(), nullptr, scan.tile); });
}

template <class Algorithm, int TILE, class Map = Plain>
machine::Counts count_scan() {
    return count(scan_of_tiles<Algorithm, TILE, Map, float, Op>());
}

/// Of one tile.
machine::Counts count(void (*reduction)(const float*, float*, long long, Op), int tile, int threads) {
    DeviceVector<float> in(std::vector<float>(tile, 1)), out(1);
    return count([&] {
        launch(reduction, 1, unsigned(threads), nullptr, in.data(), out.data(), static_cast<long long>(tile),
               Op{});
    });
}

template <class Algorithm, int TILE>
machine::Counts count_reduction() {
    constexpr int THREADS = Algorithm::threads(TILE);
    return count(reduce_tiles<Algorithm, TILE, THREADS, Plain, float, Op>, TILE, THREADS);
}

template <int TILE>
void expect_all() {
    SCOPED_TRACE("n = " + std::to_string(TILE));
    expect_cost(count_scan<HillisSteele, TILE>(), forms::hillis_steele(TILE));
    expect_cost(count_scan<HillisSteeleTwoBuffers, TILE>(), forms::hillis_steele_two_buffers(TILE));
    expect_cost(count_scan<Blelloch, TILE>(), forms::blelloch(TILE));
    expect_cost(count_scan<BrentKung<>, TILE>(), forms::brent_kung(TILE));
    expect_cost(count_scan<Sklansky, TILE>(), forms::sklansky(TILE));
    expect_cost(count_reduction<ReduceTree<Threads::spaced>, TILE>(),
                forms::reduce_tree(TILE, Threads::spaced));
    expect_cost(count_reduction<ReduceTree<Threads::contiguous>, TILE>(),
                forms::reduce_tree(TILE, Threads::contiguous));
    expect_cost(count_reduction<ReduceTree<Threads::halving>, TILE>(),
                forms::reduce_tree(TILE, Threads::halving));
    if constexpr (TILE <= 1024)
        expect_cost(count_scan<BrentKung<Threads::spaced>, TILE>(), forms::brent_kung(TILE, Threads::spaced));
    // Padding removes all bank conflicts of tiles of up to 1,024 elements and changes nothing else.
    if constexpr (TILE <= 1024)
        expect_cost(count_scan<Blelloch, TILE, Padded<>>(), forms::blelloch(TILE).conflict_free());
}

/// Where there is a GPU, nothing is counted.
class ClosedForms : public testing::Test {
   protected:
    void SetUp() override {
        if (machine::is_gpu()) GTEST_SKIP() << "counts are of the SIMT machine";
    }
};

TEST_F(ClosedForms, EveryAlgorithm) {
    expect_all<64>();
    expect_all<1024>();
    expect_all<2048>();
}

TEST_F(ClosedForms, ResidueOfThePaddedTileOf2048) {
    const auto counted = count_scan<Blelloch, 2048, Padded<>>();
    EXPECT_EQ(counted.bank_conflicts(), 35);
    EXPECT_EQ(counted.shared_store_wavefronts - counted.shared_store_requests, 15);
    EXPECT_EQ(counted.shared_load_wavefronts - counted.shared_load_requests, 20);
}

template <int TILE>
void expect_kogge_stone() {
    SCOPED_TRACE("n = " + std::to_string(TILE));
    const auto inclusive = count_scan<KoggeStone<Form::inclusive>, TILE>();
    EXPECT_EQ(inclusive.ops, forms::kogge_stone_ops(TILE));
    EXPECT_EQ(inclusive.barriers, TILE <= 32 ? 2 : TILE <= 64 ? 3 : 4);
    EXPECT_EQ(inclusive.bank_conflicts(), 0);
    EXPECT_EQ((count_scan<KoggeStone<Form::exclusive>, TILE>().ops), forms::kogge_stone_ops(TILE));
}

TEST_F(ClosedForms, KoggeStone) {
    expect_kogge_stone<32>();
    expect_kogge_stone<96>();
    expect_kogge_stone<1024>();
    // The form in kernels/textbook/block/scan_kogge_stone.cuh: 32 w elements, k = ceil(log2(w - 1)).
    for (long long w = 2, k = 0; w <= 32; ++w) {
        while (1 << k < w - 1) ++k;
        EXPECT_EQ(forms::kogge_stone_ops(32 * w), 129 * w + (w - 1) * k - ((1 << k) - 1) + 32 * (w - 1)) << w;
    }
}

template <int ITEMS_PER_THREAD, int THREADS>
void expect_raking() {
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    SCOPED_TRACE(std::to_string(THREADS) + " threads of " + std::to_string(ITEMS_PER_THREAD));
    const auto inclusive = count_scan<Raking<ITEMS_PER_THREAD, Form::inclusive>, TILE>();
    EXPECT_EQ(inclusive.ops, forms::raking_ops(TILE, ITEMS_PER_THREAD));
    EXPECT_EQ(inclusive.ops, 2 * TILE - THREADS - 1 + forms::kogge_stone_ops(THREADS));
    EXPECT_EQ(inclusive.barriers, THREADS <= 32 ? 2 : THREADS <= 64 ? 3 : 4);
    if (ITEMS_PER_THREAD % 2 == 1) {
        EXPECT_EQ(inclusive.bank_conflicts(), 0);
    }
    EXPECT_EQ((count_scan<Raking<ITEMS_PER_THREAD, Form::exclusive>, TILE>().ops),
              forms::raking_ops(TILE, ITEMS_PER_THREAD, false));
}

TEST_F(ClosedForms, Raking) {
    expect_raking<7, 32>();
    expect_raking<8, 128>();
    expect_raking<15, 256>();
}

template <class Scan>
machine::Recording count_device_scan(long long n) {
    DeviceVector<float> in(std::vector<float>(n, 1)), out(n);
    Scan scan(n);
    return machine::record([&] { scan(in.data(), out.data(), n, Op{}, nullptr); });
}

void expect_cost(const machine::Recording& counted, const forms::DeviceScanCost& predicted) {
    EXPECT_EQ(static_cast<long long>(counted.launches.size()), predicted.launches);
    const auto total = total_of(counted);  // strong loads poll
    EXPECT_EQ(total.global_load_sectors - total.volatile_load_sectors, predicted.load_sectors);
    EXPECT_EQ(total.global_store_sectors, predicted.store_sectors);
}

TEST_F(ClosedForms, DeviceScansThatMoveLess) {
    for (const long long n : {1, 1000, 1024, 1025, 65'536, 100'003, 1 << 20, (1 << 20) + 1025}) {
        SCOPED_TRACE("n = " + std::to_string(n));
        const auto counted = count_device_scan<ReduceThenScan<float, Op>>(n);
        expect_cost(counted, forms::reduce_then_scan(n));
        EXPECT_EQ(total_of(counted).ops, forms::reduce_then_scan(n).ops);
        if (n > 200'000) continue;
        using LookBack = LookBackScan<float, Op>;
        expect_cost(count_device_scan<LookBack>(n), forms::look_back(n, LookBack::TILE));
    }
}

TEST_F(ClosedForms, ThreePhases) {
    for (const Spine spine : {Spine::host, Spine::device})
        for (const long long n : {1, 33, 1023, 1024, 1025, 4000, 65'536, (1 << 20) + 1, 1 << 21}) {
            if (spine == Spine::host && n > 1 << 20) continue;  // only the device's spine has levels
            SCOPED_TRACE("n = " + std::to_string(n));
            DeviceVector<float> in(std::vector<float>(n, 1)), out(n);
            ThreePhaseScan<float, Op> scan(spine, n);
            const auto counted = machine::record([&] { scan(in.data(), out.data(), n, Op{}, nullptr); });
            const auto predicted = forms::three_phase(n, spine == Spine::host);
            EXPECT_EQ(total_of(counted).ops, predicted.ops);
            EXPECT_EQ(static_cast<long long>(counted.launches.size()), predicted.launches);
            EXPECT_EQ(counted.copies, predicted.copies);
            EXPECT_EQ(counted.bytes_to_device, predicted.bytes_each_way);
            EXPECT_EQ(counted.bytes_to_host, predicted.bytes_each_way);
            EXPECT_EQ(total_of(counted).global_load_sectors, predicted.load_sectors);
            EXPECT_EQ(total_of(counted).global_store_sectors, predicted.store_sectors);
        }
}

/// Number of levels of the tree of tiles over n elements.
int levels(long long n, int tile) {
    int count = 1;
    for (; n > tile; n = ceil_div(n, tile)) ++count;
    return count;
}

TEST_F(ClosedForms, OfReductionsOneOperationForEachElementButTheFirst) {
    for (const long long n : {1, 2, 33, 1024, 1025, 70'001}) {
        SCOPED_TRACE("n = " + std::to_string(n));
        DeviceVector<float> in(std::vector<float>(n, 1)), out(1);

        RecursiveReduction<float, Op, 256> recursive(n);
        auto recording = machine::record([&] { recursive(in.data(), out.data(), n, Op{}, nullptr); });
        EXPECT_EQ(total_of(recording).ops, n - 1);
        EXPECT_EQ(recording.launches.size(), std::size_t(levels(n, 256)));

        LastBlockReduction<float, Op, 16> last_block;
        recording = machine::record([&] { last_block(in.data(), out.data(), n, Op{}, nullptr); });
        ASSERT_EQ(recording.launches.size(), 1u);
        EXPECT_GE(total_of(recording).ops, n - 1);  // nvcc adds in vain, too, where that is quicker
        EXPECT_EQ(total_of(recording).atomic_requests, recording.launches[0].blocks);
        EXPECT_LE(recording.launches[0].blocks, 16u);

        recording = machine::record([&] { reduce_atomic<16>(in.data(), out.data(), n, Op{}, nullptr); });
        ASSERT_EQ(recording.launches.size(), 1u);
        const std::int64_t blocks = recording.launches[0].blocks;
        EXPECT_EQ(blocks, std::min<long long>(16, ceil_div(n, 256)));
        EXPECT_EQ(total_of(recording).ops, n - blocks);
        EXPECT_EQ(total_of(recording).atomic_requests, blocks);
    }
}

TEST_F(ClosedForms, OfRakingReductionBarriersAndNoBankConflicts) {
    constexpr long long n = 15 * 256;
    DeviceVector<float> in(std::vector<float>(n, 1)), out(1);
    LastBlockReduction<float, Op, 1> reduce;
    const auto launch =
        machine::record([&] { reduce(in.data(), out.data(), n, Op{}, nullptr); }).launches.at(0);
    // Two tiles are reduced: the elements, then their one sum. The barrier between them broadcasts which
    // block is last.
    EXPECT_EQ(launch.total.barriers, 2 * (4 + 8) + 1);
    EXPECT_EQ(launch.steps[1].bank_conflicts(), 0);  // the raking step
    EXPECT_EQ(launch.steps[1].shared_load_requests, 15 * 8);
}

TEST_F(ClosedForms, OfCompactionReadsEachElementTwiceByScanAndOnceByCursor) {
    constexpr long long n = 5 * 2048, n_selected = n / 2;
    std::vector<int> values(n);
    for (long long i = 0; i < n; ++i) values[i] = int(i);
    DeviceVector<int> in(values), out(n_selected);
    DeviceVector<long long> selected(1);
    const Below<int> keep = {int(n_selected)};

    Compaction<int, Below<int>> compact(n);
    auto recording =
        machine::record([&] { compact(in.data(), out.data(), selected.data(), n, keep, nullptr); });
    ASSERT_EQ(recording.launches.size(), 3u);
    EXPECT_EQ(recording.launches[0].total.global_load_sectors, n / 8);
    EXPECT_EQ(recording.launches[0].total.global_store_sectors, 5);                   // a count per tile
    EXPECT_EQ(recording.launches[2].total.global_store_sectors, n_selected / 8 + 1);  // and *selected
    EXPECT_EQ(total_of(recording).atomic_requests, 0);

    const auto atomics = [&](auto compact) {
        const auto cursor = machine::record([&] { compact(); });
        EXPECT_EQ(cursor.launches.size(), 1u);
        EXPECT_EQ(total_of(cursor).global_load_sectors, n / 8);
        return total_of(cursor).atomic_requests;
    };
    EXPECT_EQ(atomics([&] {
                  compact_atomic<AggregatedBy::warp>(in.data(), out.data(), selected.data(), n, keep,
                                                     nullptr);
              }),
              n_selected / 32);
    EXPECT_EQ(atomics([&] {
                  compact_atomic<AggregatedBy::block>(in.data(), out.data(), selected.data(), n, keep,
                                                      nullptr);
              }),
              n / 2048);
}

TEST_F(ClosedForms, OfRunLengthDecodeLaunches) {
    constexpr long long runs = 3000;
    DeviceVector<int> values(std::vector<int>(runs, 7)), out(2 * runs);
    DeviceVector<long long> lengths(std::vector<long long>(runs, 2)), total(1);
    RunLengthDecode<int> decode(runs);
    auto recording = machine::record([&] {
        decode(values.data(), lengths.data(), runs, out.data(), {0, 2 * runs}, total.data(), nullptr);
    });
    EXPECT_EQ(recording.launches.size(), std::size_t(1 + 2 * levels(runs, 1024) - 1));
    recording = machine::record([&] {
        run_length_decode_atomic(values.data(), lengths.data(), runs, out.data(), 2 * runs, total.data(),
                                 nullptr);
    });
    EXPECT_EQ(recording.launches.size(), 1u);
    EXPECT_EQ(total_of(recording).atomic_requests, ceil_div(runs, 256));
}

template <int DIGIT_BITS>
void expect_passes(int passes) {
    constexpr long long n = 4 * 4096;
    std::vector<int> keys(n);
    for (long long i = 0; i < n; ++i) keys[i] = int(i * 2654435761u);
    DeviceVector<int> in(keys), out(n);
    RadixSort<int, NoPayload, DIGIT_BITS> sort(n);
    const auto recording = machine::record([&] { sort(in.data(), out.data(), n, nullptr); });
    const long long counts = (1 << DIGIT_BITS) * ceil_div(n, 4096);
    EXPECT_EQ(recording.launches.size(), std::size_t(passes * (2 + 2 * levels(counts, 1024) - 1)));
    EXPECT_EQ(recording.launches[0].total.global_load_sectors, n / 8);
    EXPECT_GE(total_of(recording).votes, passes * (DIGIT_BITS + 1) * n / 32);
}
TEST_F(ClosedForms, OfRadixSortLaunchesAndVotes) {
    expect_passes<8>(4);
    expect_passes<5>(7);
}

// --- What a block leaves in shared memory after each step, of which the page draws scans.

/// By step, the words of the tile that it wrote and their values.
template <class Algorithm>
std::map<int, std::map<int, int>> steps_of_scan() {
    const auto scan = scan_of_tiles<Algorithm, 8, Plain, int, Sum<int>>();
    std::vector<int> values = {3, 1, 7, 0, 4, 1, 6, 3};
    values.insert(values.end(), 16, 100);  // two more blocks, which are not traced
    DeviceVector<int> in(values), out(values.size());
    sass::Options tracing = machine::options();
    tracing.counts = tracing.steps = tracing.contents = true;
    const auto recording = machine::record([&] { scan(in.data(), out.data(), nullptr, 24); }, tracing);
    std::map<int, std::map<int, int>> steps;
    for (const sass::Word& word : recording.launches.at(0).contents)  // the tile's first word is number 1
        steps[word.step][word.word - 1] = word.value;
    return steps;
}
using Words = std::map<int, int>;

TEST_F(ClosedForms, ContentsOfHillisSteele) {
    auto steps = steps_of_scan<HillisSteele>();
    ASSERT_EQ(steps.size(), 4u);  // every other step only reads
    EXPECT_EQ(steps[0], (Words{{0, 3}, {1, 1}, {2, 7}, {3, 0}, {4, 4}, {5, 1}, {6, 6}, {7, 3}}));
    // A step of stride s writes the elements from s on.
    EXPECT_EQ(steps[2], (Words{{1, 4}, {2, 8}, {3, 7}, {4, 4}, {5, 5}, {6, 7}, {7, 9}}));
    EXPECT_EQ(steps[4], (Words{{2, 11}, {3, 11}, {4, 12}, {5, 12}, {6, 11}, {7, 14}}));
    EXPECT_EQ(steps[6], (Words{{4, 15}, {5, 16}, {6, 22}, {7, 25}}));
}

TEST_F(ClosedForms, ContentsOfBlelloch) {
    auto steps = steps_of_scan<Blelloch>();
    ASSERT_EQ(steps.size(), 8u);
    EXPECT_EQ(steps[1], (Words{{1, 4}, {3, 7}, {5, 5}, {7, 9}}));
    EXPECT_EQ(steps[3], (Words{{7, 25}}));
    EXPECT_EQ(steps[4], (Words{{7, 0}}));
    EXPECT_EQ(steps[7], (Words{{0, 0}, {1, 3}, {2, 4}, {3, 11}, {4, 11}, {5, 15}, {6, 16}, {7, 22}}));
}

}  // namespace
