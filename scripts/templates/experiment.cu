#include "experiments/closed_forms/tile_scans.h"
#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_sklansky.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 1000,
    .title = "@title@",
    .claim = "Brent-Kung's scan of a tile does fewer operations than Sklansky's.",
    .source = "None: an example.",
    .prediction =
        "On a tile of n elements Brent-Kung does 2 n - 2 - log n operations, Sklansky (n / 2) log n.",
    .method = "One vector, cut into tiles of 1,024 floats. Nothing but the algorithm varies.",
    .fails_if = "Count: a count differs from its closed form, or Brent-Kung's is not the smaller one.",
};

constexpr int TILE = 1024;

template <class Algorithm>
void add_scan(harness::Suite& suite, const std::string& algorithm, long long ops_of_a_tile) {
    const long long tiles = suite.quick() ? 4 : 64;
    suite
        .scan<float>({"scan", algorithm}, tiles * TILE, {TILE, Algorithm::inclusive},
                     harness::scan_every_tile<Algorithm, Plain, TILE, float>)
        .predict("ops", ops_of_a_tile * tiles);
}

void add_cases(harness::Suite& suite) {
    add_scan<BrentKung<>>(suite, "brent_kung", harness::closed_form::brent_kung_ops(TILE));
    add_scan<Sklansky>(suite, "sklansky", harness::closed_form::sklansky_ops(TILE));
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
