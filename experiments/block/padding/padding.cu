#include "experiments/harness/cub.h"
#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 30,
    .title = "Padding against bank conflicts",
    .claim =
        R"(Leaving every 32nd place empty, that is, storing element i at A[i + i/32], removes the bank
           conflicts of the tree scan.)",
    .source =
        R"(Lecture notes: CUDA. Сумма на префиксе (MIPT, Russian). Earlier: Harris, Sengupta and Owens, GPU
           Gems 3, ch. 39, 2007, which pads in two levels, i + i/32 + i/1,024.)",
    .prediction =
        R"(Plain, up to min(2 s, 32) lanes contend for one bank at the level of stride s: 1,085 conflicts in
           a tile of 1,024 4-byte elements. Padded: none up to 1,024 elements. At 2,048 the 64 rows of 32
           again share banks in pairs in five levels: 20 load and 15 store conflicts. A second level of
           padding removes these too.)",
    .method =
        R"(Blelloch's scan of every tile; the index map varies, crossed with the tile and with the size of an
           element, because an 8-byte element covers two banks. Alternatives: i + i/16, an XOR swizzle, two
           levels. CUB's block scan, CUB's device-wide scan and a copy run beside them.)",
    .fails_if =
        R"(Count: the padded scan has a bank conflict, at any tile and element size. Speed: at such a size it
           is not faster than the plain one.)",
};

/// Wavefronts of 4-byte elements have a closed form; i + i/16 and 8-byte elements are only counted.
void predict(harness::Case& c, const std::string& map, int bytes, int tile) {
    const auto plain = harness::closed_form::blelloch(tile);
    const long long tiles = c.n / tile;
    harness::predict_work(c, plain, tiles);
    if (bytes != 4 || map == "padded16") return;
    // The swizzle's rows repeat like the padding's.
    const auto padded = harness::closed_form::blelloch_padded(tile);
    harness::predict_wavefronts(c,
                                map == "plain"       ? plain
                                : map == "two_level" ? plain.conflict_free()
                                                     : padded,
                                tiles);
}

template <class Map, class T, int TILE>
harness::Case& add_scan(harness::Suite& suite, const std::string& map, long long n) {
    const harness::Levels levels = {{"index", map}, {"bytes", sizeof(T)}, {"tile", TILE}};
    auto& c = suite.scan<T>({"scan", "blelloch", levels}, n, {TILE, Blelloch::inclusive},
                            harness::scan_every_tile<Blelloch, Map, TILE, T>);
    predict(c, map, sizeof(T), TILE);
    return c;
}

template <class T, int TILE>
void add_maps(harness::Suite& suite, long long n) {
    add_scan<Plain, T, TILE>(suite, "plain", n);
    add_scan<Padded<>, T, TILE>(suite, "padded", n);
    add_scan<Padded<16>, T, TILE>(suite, "padded16", n);
    add_scan<Swizzled, T, TILE>(suite, "swizzled", n);
    add_scan<TwoLevel, T, TILE>(suite, "two_level", n);
}

template <class T, int... TILES>
void add_references(harness::Suite& suite, long long n) {
    const harness::Levels bytes = {{"bytes", sizeof(T)}};
    (suite.scan<T>({"scan", "cub_block", {{"bytes", sizeof(T)}, {"tile", TILES}}}, n, {TILES},
                   harness::cub_block_scan<T, TILES>),
     ...);
    suite.scan<T>({"scan", "cub_device", bytes}, n, {n}, harness::cub_device_scan<T>);
    suite.copy<T>({"copy", "device_to_device", bytes}, n);
}

template <class T, int... TILES>
void add_tiles(harness::Suite& suite) {
    const long long n = suite.long_vector();
    (add_maps<T, TILES>(suite, n), ...);
    if (suite.timed()) add_references<T, TILES...>(suite, n);
}

void add_cases(harness::Suite& suite) {
    add_tiles<float, 64, 128, 256, 512, 1024, 2048>(suite);
    add_tiles<double, 64, 128, 256, 512, 1024, 2048>(suite);
    if (!suite.timed()) {
        add_scan<Plain, float, 64>(suite, "plain", 64).trace();
        add_scan<Padded<>, float, 64>(suite, "padded", 64).trace();
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
