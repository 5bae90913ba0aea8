#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/block/scan_raking.cuh"
#include "kernels/textbook/block/scan_sklansky.cuh"

using namespace trial;

namespace {

using namespace harness::closed_form;

const harness::Claim CLAIM = {
    .order = 35,
    .title = "Registers against shared memory",
    .claim =
        R"(Inside a warp, values can stay in registers and move from lane to lane by shuffles. That takes
           fewer accesses to shared memory and fewer barriers than a scan in shared memory, and is therefore
           faster.)",
    .source =
        R"(Beyond the lecture notes: Sengupta, Harris and Garland 2008, who scan each warp and then the sums
           of the warps; Dotsenko et al. 2008, who let each thread add up several elements first.)",
    .prediction =
        R"(A tile of n elements in w warps, one element per thread: Kogge-Stone takes 3 w loads and 3 w
           stores of shared memory, of which 2 w move the tile in and out, and 4 barriers, whatever n is from
           128 on. Hillis-Steele, Sklansky and the trees take up to 3 accesses per warp and step, and at
           least log n barriers. Operations are no reason: Kogge-Stone applies more than the trees. Raking
           applies 2.5 n (8 elements per thread) to 4 n (2 per thread), with as few accesses.)",
    .method =
        R"(Every tile of a long vector is scanned independently. The algorithm varies, crossed with the tile
           and with the index map, because bank conflicts slow the trees and raking most. All read their tile
           from shared memory and leave the result there. Raking with 2 elements per thread has as many
           threads as the trees. Kogge-Stone ends at 1,024 elements; raking begins where a warp is full.
           CUB's block scan, CUB's device-wide scan and a copy run beside them.)",
    .fails_if =
        R"(Count: in a tile, a scan in registers (Kogge-Stone, raking) makes as many requests to shared
           memory, or passes as many barriers, as one in shared memory. Speed: in a tile, a scan in registers
           is not faster than all scans in shared memory, with each index map.)",
};

template <int ITEMS_PER_THREAD, class Map, int TILE>
void add_raking(harness::Suite& suite, const std::string& map, long long n) {
    const TileCost cost = raking_padded(TILE, ITEMS_PER_THREAD);
    const harness::Levels levels = {{"items", ITEMS_PER_THREAD}, {"index", map}};
    auto& c = harness::add_tile_scan<Raking<ITEMS_PER_THREAD>, Map, TILE>(suite, "raking", levels, n, cost);
    if (map == "padded") harness::predict_wavefronts(c, cost, n / TILE);
}

template <class Map, int TILE>
void add_scans(harness::Suite& suite, const std::string& map, long long n) {
    harness::add_tile_scan<HillisSteele, Map, TILE>(suite, "hillis_steele", {{"index", map}}, n,
                                                    hillis_steele(TILE));
    harness::add_tile_scan<Sklansky, Map, TILE>(suite, "sklansky", {{"index", map}}, n, sklansky(TILE));
    harness::add_tile_scan<BrentKung<>, Map, TILE>(suite, "brent_kung", {{"index", map}}, n,
                                                   brent_kung(TILE));
    harness::add_tile_scan<Blelloch, Map, TILE>(suite, "blelloch", {{"index", map}}, n, blelloch(TILE));
    if constexpr (TILE <= 1024) {
        auto& c = harness::add_tile_scan<KoggeStone<>, Map, TILE>(suite, "kogge_stone", {{"index", map}}, n,
                                                                  kogge_stone(TILE));
        harness::predict_wavefronts(c, kogge_stone(TILE), n / TILE);
    }
    add_raking<2, Map, TILE>(suite, map, n);
    if constexpr (TILE >= 8 * 32) add_raking<8, Map, TILE>(suite, map, n);
}

template <int... TILES>
void add_tiles(harness::Suite& suite) {
    const long long n = suite.timed() ? suite.long_vector() : 1 << 13;
    (add_scans<Plain, TILES>(suite, "plain", n), ...);
    (add_scans<Padded<>, TILES>(suite, "padded", n), ...);
    if (suite.timed()) harness::add_cub_scans<TILES...>(suite, n);
}

void add_cases(harness::Suite& suite) { add_tiles<64, 128, 256, 512, 1024, 2048>(suite); }

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
