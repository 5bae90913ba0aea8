#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_sklansky.cuh"

using namespace trial;

namespace {

using harness::closed_form::TileCost;

const harness::Claim CLAIM = {
    .order = 10,
    .title = "Work of the block scans",
    .claim =
        R"(To scan n elements, Hillis-Steele applies the operator O(n log n) times, the tree scans O(n)
           times. The trees are therefore the efficient ones.)",
    .source =
        R"(Lecture notes: Algorithmes fondamentaux: opération scan (French); CUDA. Сумма на префиксе (MIPT,
           Russian); Programação paralela em GPU: Redução e Scan com CUDA (Portuguese); Trabalho eficiente de
           scan paralelo utilizando árvore de redução (Portuguese, after Kirk and Hwu, Programming Massively
           Parallel Processors, ch. 9). The algorithms: Sklansky 1960; Brent and Kung 1982; Hillis and Steele
           1986; Blelloch 1990.)",
    .prediction =
        R"(Operator applications in a tile of n elements, log to base 2: Hillis-Steele n log n - (n - 1);
           Sklansky (n / 2) log n; Blelloch 2 (n - 1), whose down-sweep also moves n - 1 values; Brent-Kung 2
           n - 2 - log n. Nothing is stated for Hillis-Steele at n = 2: nvcc has both threads add and one
           discard its sum. If work decides, the tree scans are the faster ones.)",
    .method =
        R"(Counted: one tile of n = 2 .. 2,048 floats, each algorithm with its own number of threads. Timed:
           every tile of a long vector is scanned independently, in one launch, all blocks with the same
           occupancy. The algorithm varies; it is crossed with the tile, because some algorithms use half as
           many threads per tile as others, and with the index map, because bank conflicts affect the trees
           only. CUB's block scan, CUB's device-wide scan and a copy run beside them.)",
    .fails_if =
        R"(Count: a number of operations differs from its closed form. Speed: in a tile, a tree scan as the
           sources print it (Blelloch or Brent-Kung, not padded) is not faster than Hillis-Steele.)",
};

/// All algorithms on n elements in tiles of TILE.
template <class Map, int TILE>
void add_scans(harness::Suite& suite, const std::string& map, long long n) {
    using namespace harness::closed_form;
    harness::Case& c = harness::add_tile_scan<HillisSteele, Map, TILE>(
        suite, "hillis_steele", {{"index", map}}, n, hillis_steele(TILE));
    if (TILE == 2) c.predict_no("ops");
    harness::add_tile_scan<Blelloch, Map, TILE>(suite, "blelloch", {{"index", map}}, n, blelloch(TILE));
    harness::add_tile_scan<BrentKung<>, Map, TILE>(suite, "brent_kung", {{"index", map}}, n,
                                                   brent_kung(TILE));
    harness::add_tile_scan<Sklansky, Map, TILE>(suite, "sklansky", {{"index", map}}, n, sklansky(TILE));
}

template <int... TILES>
void add_single_tiles(harness::Suite& suite) {
    (add_scans<Plain, TILES>(suite, "plain", TILES), ...);
}

template <int... TILES>
void add_long_vectors(harness::Suite& suite, long long n) {
    (add_scans<Plain, TILES>(suite, "plain", n), ...);
    (add_scans<Padded<>, TILES>(suite, "padded", n), ...);
}

void add_cases(harness::Suite& suite) {
    const long long n = suite.long_vector();
    add_long_vectors<512, 1024, 2048>(suite, n);
    if (suite.timed()) {
        harness::add_cub_scans<512, 1024, 2048>(suite, n);
    } else {
        add_single_tiles<2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048>(suite);
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
