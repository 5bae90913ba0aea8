#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_hillis_steele_two_buffers.cuh"
#include "kernels/textbook/block/scan_sklansky.cuh"

using namespace trial;

namespace {

using namespace harness::closed_form;

const harness::Claim CLAIM = {
    .order = 15,
    .title = "Steps against operations",
    .claim =
        R"(After log n steps all prefixes are complete; a tree takes two sweeps, twice as many steps. On a
           machine with one thread per element, the scan with fewer steps is the faster one.)",
    .source =
        R"(Lecture notes: Padrão Scan em CUDA (Portuguese), for log n steps; Trabalho eficiente de scan
           paralelo utilizando árvore de redução (Portuguese, after Kirk and Hwu, Programming Massively
           Parallel Processors, ch. 9), for the two sweeps. That steps decide: Hillis and Steele 1986, of a
           machine with one processor per element. The algorithms: Sklansky 1960; Brent and Kung 1982;
           Blelloch 1990; two buffers: Harris, Sengupta and Owens, GPU Gems 3, ch. 39, 2007.)",
    .prediction =
        R"(Steps that apply the operator in a tile of n elements, log to base 2: Hillis-Steele and Sklansky
           log n; Brent-Kung 2 log n - 1; Blelloch 2 log n. One barrier follows the load. The steps add:
           Hillis-Steele as printed 2 log n, because a step reads, waits, writes and waits; with two buffers
           log n, rounded up to an even number; Sklansky log n; Brent-Kung 2 log n - 1; Blelloch 2 log n + 1.
           If steps decide, both scans of log n steps are faster than both trees, although they do more
           operations.)",
    .method =
        R"(Every tile of a long vector is scanned independently. The algorithm varies; it is crossed with the
           tile, because steps grow with the logarithm of its size and operations with the size, and with the
           index map, because bank conflicts slow the trees most. Hillis-Steele with two buffers has the same
           steps and operations with half of the barriers. A tile of 64 gives the trees blocks of 32 threads,
           of which a multiprocessor holds no more than of blocks of 64. CUB's block scan, CUB's device-wide
           scan and a copy run beside them.)",
    .fails_if =
        R"(Count: a number of steps differs from its closed form. Speed: in a tile, with an index map, a scan
           of log n steps (Hillis-Steele as printed, Sklansky) is not faster than both trees (Brent-Kung,
           Blelloch).)",
};

template <class Algorithm, class Map, int TILE>
void add_scan(harness::Suite& suite, const std::string& name, const harness::Levels& levels, long long n,
              const TileCost& cost, long long steps) {
    harness::Case& c = harness::add_tile_scan<Algorithm, Map, TILE>(suite, name, levels, n, cost);
    // With two elements a thread, nvcc moves the second addition past the barrier.
    const bool moves = std::is_same_v<Algorithm, HillisSteele> && TILE > 1024;
    if (!moves) c.predict("operator_steps", steps);
}

template <class Map, int TILE>
void add_scans(harness::Suite& suite, const std::string& map, long long n) {
    const long long log = harness::closed_form::log2(TILE);
    add_scan<HillisSteele, Map, TILE>(suite, "hillis_steele", {{"index", map}}, n, hillis_steele(TILE), log);
    add_scan<HillisSteeleTwoBuffers, Map, TILE>(suite, "hillis_steele_two_buffers", {{"index", map}}, n,
                                                hillis_steele_two_buffers(TILE), log);
    add_scan<Sklansky, Map, TILE>(suite, "sklansky", {{"index", map}}, n, sklansky(TILE), log);
    add_scan<BrentKung<>, Map, TILE>(suite, "brent_kung", {{"index", map}}, n, brent_kung(TILE), 2 * log - 1);
    add_scan<Blelloch, Map, TILE>(suite, "blelloch", {{"index", map}}, n, blelloch(TILE), 2 * log);
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
