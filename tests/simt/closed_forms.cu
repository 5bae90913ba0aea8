// The counts of the SIMT machine equal the closed forms exactly, for every algorithm and every tile size.
#include "experiments/closed_forms/compaction.h"
#include "experiments/closed_forms/device_reductions.h"
#include "experiments/closed_forms/device_scans.h"
#include "experiments/closed_forms/parts.h"
#include "experiments/closed_forms/radix_sort.h"
#include "experiments/closed_forms/run_length_decoding.h"
#include "experiments/closed_forms/tile_scans.h"

#include <gtest/gtest.h>

#include "kernels/operators.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_hillis_steele_two_buffers.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/block/scan_raking.cuh"
#include "kernels/textbook/block/scan_sklansky.cuh"
#include "kernels/textbook/device/reduce_tiles.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"
#include "kernels/textbook/device/scan_reduce_then_scan.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"
#include "tests/kernels/scan_of_tiles.h"

namespace {

namespace forms = harness::closed_form;
using Op = simt::Counted<Sum<float>>;

void expect_cost(const simt::Counters& counted, const forms::TileCost& predicted) {
    EXPECT_EQ(counted.ops, predicted.ops);
    EXPECT_EQ(counted.warp_ops, predicted.warp_ops);
    EXPECT_EQ(counted.barriers, predicted.barriers);
    EXPECT_EQ(counted.shared_load_requests, predicted.shared_load_requests);
    EXPECT_EQ(counted.shared_store_requests, predicted.shared_store_requests);
    EXPECT_EQ(counted.shared_load_wavefronts, predicted.shared_load_wavefronts);
    EXPECT_EQ(counted.shared_store_wavefronts, predicted.shared_store_wavefronts);
    EXPECT_EQ(counted.bank_conflicts(), predicted.bank_conflicts());
}

simt::Counters count(const ScanOfTiles<float, Op>& scan) {
    DeviceVector<float> in(std::vector<float>(scan.tile, 1)), out(scan.tile);
    return simt::record([&] { scan(in.data(), out.data(), nullptr, scan.tile); }).total();
}

template <class Algorithm, int TILE, class Map = Plain>
simt::Counters count_scan() {
    return count(scan_of_tiles<Algorithm, TILE, Map, float, Op>());
}

/// Of one tile.
simt::Counters count(void (*reduction)(const float*, float*, long long, Op), int tile, int threads) {
    DeviceVector<float> in(std::vector<float>(tile, 1)), out(1);
    return simt::record([&] {
               launch(reduction, 1, unsigned(threads), nullptr, in.data(), out.data(),
                      static_cast<long long>(tile), Op{});
           })
        .total();
}

template <class Algorithm, int TILE>
simt::Counters count_reduction() {
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

TEST(ClosedForms, EveryAlgorithmAndTile) {
    expect_all<2>();
    expect_all<4>();
    expect_all<8>();
    expect_all<16>();
    expect_all<32>();
    expect_all<64>();
    expect_all<128>();
    expect_all<256>();
    expect_all<512>();
    expect_all<1024>();
    expect_all<2048>();
}

TEST(ClosedForms, ResidueOfThePaddedTileOf2048) {
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

TEST(ClosedForms, KoggeStone) {
    expect_kogge_stone<2>();
    expect_kogge_stone<32>();
    expect_kogge_stone<64>();
    expect_kogge_stone<96>();
    expect_kogge_stone<256>();
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

TEST(ClosedForms, Raking) {
    expect_raking<2, 1>();
    expect_raking<7, 32>();
    expect_raking<8, 128>();
    expect_raking<15, 256>();
    expect_raking<3, 1024>();
}

template <class Scan>
simt::Recording count_device_scan(long long n) {
    DeviceVector<float> in(std::vector<float>(n, 1)), out(n);
    Scan scan(n);
    return simt::record([&] { scan(in.data(), out.data(), n, Op{}, nullptr); });
}

void expect_cost(const simt::Recording& counted, const forms::DeviceScanCost& predicted) {
    EXPECT_EQ(static_cast<long long>(counted.launches.size()), predicted.launches);
    EXPECT_EQ(counted.total().global_load_sectors, predicted.load_sectors);
    EXPECT_EQ(counted.total().global_store_sectors, predicted.store_sectors);
}

TEST(ClosedForms, DeviceScansThatMoveLess) {
    for (const long long n : {1, 1000, 1024, 1025, 65'536, 100'003, 1 << 20, (1 << 20) + 1025}) {
        SCOPED_TRACE("n = " + std::to_string(n));
        const auto counted = count_device_scan<ReduceThenScan<float, Op>>(n);
        expect_cost(counted, forms::reduce_then_scan(n));
        EXPECT_EQ(counted.total().ops, forms::reduce_then_scan(n).ops);
        if (n > 200'000) continue;
        using LookBack = LookBackScan<float, Op>;
        expect_cost(count_device_scan<LookBack>(n), forms::look_back(n, LookBack::TILE));
        simt::set_cores(1);
        EXPECT_EQ(count_device_scan<LookBack>(n).total().ops, forms::look_back_ops_in_order(n, 15, 256));
        using SmallTiles = LookBackScan<float, Op, Form::inclusive, 3, 32>;
        EXPECT_EQ(count_device_scan<SmallTiles>(n).total().ops, forms::look_back_ops_in_order(n, 3, 32));
        simt::set_cores(0);
    }
}

TEST(ClosedForms, ThreePhases) {
    for (const Spine spine : {Spine::host, Spine::device})
        for (const long long n : {1, 33, 1023, 1024, 1025, 4000, 65'536, (1 << 20) + 1, 1 << 21}) {
            if (spine == Spine::host && n > 1 << 20) continue;  // only the device's spine has levels
            SCOPED_TRACE("n = " + std::to_string(n));
            DeviceVector<float> in(std::vector<float>(n, 1)), out(n);
            ThreePhaseScan<float, Op> scan(spine, n);
            const auto counted = simt::record([&] { scan(in.data(), out.data(), n, Op{}, nullptr); });
            const auto predicted = forms::three_phase(n, spine == Spine::host);
            EXPECT_EQ(counted.total().ops, predicted.ops);
            EXPECT_EQ(static_cast<long long>(counted.launches.size()), predicted.launches);
            EXPECT_EQ(counted.copies, predicted.copies);
            EXPECT_EQ(counted.bytes_to_device, predicted.bytes_each_way);
            EXPECT_EQ(counted.bytes_to_host, predicted.bytes_each_way);
            EXPECT_EQ(counted.total().global_load_sectors, predicted.load_sectors);
            EXPECT_EQ(counted.total().global_store_sectors, predicted.store_sectors);
        }
}

}  // namespace
