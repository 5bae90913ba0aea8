// An example to start from: two scans of a tile side by side. Put your own claim in its place.
#include "experiments/harness/closed_forms.h"
#include "experiments/harness/tiles.h"
#include "kernels/block/scan_brent_kung.cuh"
#include "kernels/block/scan_sklansky.cuh"
#include "kernels/index_maps.cuh"

namespace {

const harness::Claim CLAIM = {
    "@claim@",
    1000,
    "@title@",
    // claim
    "Brent-Kung's scan of a tile does fewer operations than Sklansky's.",
    // source
    "None: an example.",
    // prediction
    "On a tile of n elements Brent-Kung does 2 n - 2 - log n operations, Sklansky (n / 2) log n.",
    // method
    "One vector, cut into tiles of 1,024 floats. Nothing but the algorithm varies.",
    // fails_if
    "A count differs from its closed form, or Brent-Kung's is not the smaller one.",
};

constexpr int TILE = 1024;

void add_cases(harness::Suite& suite) {
    using namespace harness;
    const long long n = suite.quick() ? 1 << 12 : 1 << 16;
    suite
        .scan<float>("scan/brent_kung/tile:1024", n, {TILE}, scan_every_tile<BrentKung<>, Plain, TILE, float>)
        .predict("ops", closed_form::brent_kung_ops(TILE) * (n / TILE));
    suite.scan<float>("scan/sklansky/tile:1024", n, {TILE}, scan_every_tile<Sklansky, Plain, TILE, float>)
        .predict("ops", closed_form::sklansky_ops(TILE) * (n / TILE));
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
