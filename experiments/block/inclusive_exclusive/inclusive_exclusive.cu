#include "experiments/harness/cub.h"
#include "experiments/harness/device_scans.h"
#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/device/scan_tiles_in_form.cuh"

using namespace trial;

namespace {

using harness::Vectors;
using harness::closed_form::TileCost;

const harness::Claim CLAIM = {
    .order = 50,
    .title = "One form of a scan from the other",
    .claim =
        R"(With a neutral element, the inclusive and the exclusive form follow from each other: for one shift
           or one operation per element.)",
    .source =
        R"(Lecture notes: Programação paralela em GPU: Redução e Scan com CUDA (Portuguese) shifts the input
           by one element; Algorithmes fondamentaux: opération scan (French) adds the input to an exclusive
           scan. Clearing the root of the tree: Blelloch 1990.)",
    .prediction =
        R"(A tile of n elements. Exclusive from inclusive: no more operations; a shifted input is read from n
           / 32 - 1 more sectors, a shifted output takes no more. Inclusive from exclusive: n more operations
           if the input is added; one more, for the total, if the output is shifted. Clearing the root costs
           a store and a barrier. In padded shared memory, reading the output one place further on costs
           every warp but one a bank conflict. If the claim is right, none of this shows.)",
    .method =
        R"(One kernel scans every tile of 1,024 floats; only the change of form varies. Crossed with the
           block scan: Hillis-Steele and Brent-Kung are inclusive, Blelloch is exclusive; the trees are
           padded. For comparison, scans that have both forms built in: Kogge-Stone in registers, the
           device-wide look-back, and CUB's device-wide scan. A copy runs beside them.)",
    .fails_if =
        R"(Count: a change of form applies the operator more than once per element. Speed: with a change of
           form a scan takes over 5% more time than without.)",
};

constexpr int TILE = 1024;
const char* const CHANGE[] = {"none", "shift_input", "shift_output", "add_input"};

template <class Algorithm, Change CHANGE, class Map>
harness::Work scan_in_form(Vectors<float> v) {
    constexpr int THREADS = Algorithm::threads(TILE);
    return harness::launch_on_tiles(
        scan_tiles_in_form<Algorithm, CHANGE, TILE, THREADS, Map, float, Sum<float>>, TILE, THREADS, v);
}

/// The cost of a tile with the change of form. All warps of a block, at least 16, apply the operator in it.
TileCost changed(TileCost cost, Change change, bool inclusive, bool padded, int block_warps) {
    constexpr long long WARPS = TILE / 32;
    if (change == Change::add_input) {
        cost.ops += TILE;
        cost.warp_ops += WARPS;
        cost.active_warps += block_warps;
    }
    if (change == Change::shift_output) {
        if (padded) cost.shared_load_wavefronts += WARPS - 1;
        if (inclusive) return cost;
        cost.ops += 1;
        cost.warp_ops += 1;
        cost.active_warps += 1;
    }
    return cost;
}

template <class Algorithm, Change HOW, class Map>
void add_change(harness::Suite& suite, const std::string& name, long long n, const TileCost& cost) {
    constexpr bool INCLUSIVE = Algorithm::inclusive == (HOW == Change::none), PADDED = Map::at(32) > 32;
    auto& c = suite.scan<float>(
        {"scan", name, {{"form", INCLUSIVE ? "inclusive" : "exclusive"}, {"change", CHANGE[int(HOW)]}}}, n,
        {TILE, INCLUSIVE}, scan_in_form<Algorithm, HOW, Map>);
    const auto full = changed(cost, HOW, Algorithm::inclusive, PADDED, Algorithm::threads(TILE) / 32);
    harness::predict_work(c, full, n / TILE);
    harness::predict_wavefronts(c, full, n / TILE);
    const long long more_sectors = HOW == Change::shift_input ? TILE / 32 - 1 : 0;
    c.predict("global_load_sectors", n / TILE * (TILE / 8 + more_sectors))
        .predict("global_store_sectors", n / 8);
}

template <class Algorithm, class Map>
void add_inclusive_scan(harness::Suite& suite, const std::string& name, long long n, const TileCost& cost) {
    add_change<Algorithm, Change::none, Map>(suite, name, n, cost);
    add_change<Algorithm, Change::shift_input, Map>(suite, name, n, cost);
    add_change<Algorithm, Change::shift_output, Map>(suite, name, n, cost);
}

template <class Map>
void add_exclusive_scan(harness::Suite& suite, const std::string& name, long long n, const TileCost& cost) {
    add_change<Blelloch, Change::none, Map>(suite, name, n, cost);
    add_change<Blelloch, Change::add_input, Map>(suite, name, n, cost);
    add_change<Blelloch, Change::shift_output, Map>(suite, name, n, cost);
}

/// Scans with this form built in.
template <Form FORM>
void add_built_in(harness::Suite& suite, const std::string& form, long long n) {
    constexpr bool INCLUSIVE = FORM == Form::inclusive;
    using LookBack = LookBackScan<float, Sum<float>, FORM>;
    const harness::Levels levels = {{"form", form}, {"change", "built_in"}};
    suite
        .scan<float>({"scan", "kogge_stone", levels}, n, {TILE, INCLUSIVE},
                     harness::scan_every_tile<KoggeStone<FORM>, Plain, TILE, float>)
        .predict("ops", n / TILE * harness::closed_form::kogge_stone_ops(TILE));
    auto& c = suite.scan<float>({"scan", "look_back", levels}, n, {n, INCLUSIVE},
                                harness::device_scan<LookBack, float>);
    const auto ops = INCLUSIVE ? harness::closed_form::look_back_ops_in_order
                               : harness::closed_form::look_back_exclusive_ops_in_order;
    c.on_single_core().predict("ops", ops(n, look_back_items<float>(), 256));
    if (!suite.timed()) return;
    suite.scan<float>(
        {"scan", "cub_device", levels}, n, {n, INCLUSIVE},
        INCLUSIVE ? harness::cub_device_scan<float> : harness::cub_device_exclusive_scan<float>);
}

void add_cases(harness::Suite& suite) {
    using namespace harness::closed_form;
    const long long n = suite.timed() ? suite.long_vector() : 1 << 14;
    add_inclusive_scan<HillisSteele, Plain>(suite, "hillis_steele", n, hillis_steele(TILE));
    add_inclusive_scan<BrentKung<>, Padded<>>(suite, "brent_kung", n, brent_kung_padded(TILE));
    add_exclusive_scan<Padded<>>(suite, "blelloch", n, blelloch_padded(TILE));
    add_built_in<Form::inclusive>(suite, "inclusive", n);
    add_built_in<Form::exclusive>(suite, "exclusive", n);
    if (suite.timed()) suite.copy<float>({"copy", "device_to_device"}, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
