#include <map>
#include <string>

#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_sklansky.cuh"

using namespace trial;

namespace {

using namespace harness::closed_form;

const harness::Claim CLAIM = {
    .order = 12,
    .title = "Active lanes",
    .claim = "With every step half of the threads are no longer needed.",
    .source =
        R"(Lecture notes: Padrão Scan em CUDA (Portuguese), next to a kernel that is the scan of Hillis and
           Steele 1986. Programação paralela em GPU: Redução e Scan com CUDA (Portuguese) says the same of a
           reduction.)",
    .prediction =
        R"(Lanes that apply the operator in a tile of n elements at step k = 0, 1, ..: Hillis-Steele n - 2^k,
           from n - 1 down to n / 2 at the last step; Sklansky n / 2 at every step; a reduction, and the
           up-sweep of a tree scan, n / 2^(k + 1), down to one; the down-sweep the same in reverse order, at
           its step j 2^(j + 1) - 1 in Brent-Kung and 2^j in Blelloch. So the claim is false for the kernel
           next to which it stands, and true for a reduction.)",
    .method =
        R"(Counted step by step: one tile of 32, 64, 256 and 1,024 floats, each algorithm with its own number
           of threads. The GPU's counters give the active lanes per warp instruction of the same kernels.
           Timed: all tiles of 1,024 of a long vector, padded, so that bank conflicts do not hide the cost of
           lanes. CUB and a copy run beside them.)",
    .fails_if =
        R"(Count: at a step of Hillis-Steele after the first, more than half as many lanes apply the operator
           as at the step before.)",
};

template <class Map, int TILE>
void add_reduction(harness::Suite& suite, const std::string& map, long long n) {
    using Algorithm = ReduceTree<Threads::contiguous>;
    auto& c = suite.reduce<float>({"reduce", "tree", {{"index", map}, {"tile", TILE}}}, n, TILE,
                                  harness::reduce_every_tile<Algorithm, Map, TILE, float>);
    harness::predict_work(c, reduce_tree(TILE, Threads::contiguous), n / TILE);
}

template <class Map, int TILE>
void add_all(harness::Suite& suite, const std::string& map, long long n) {
    harness::add_tile_scan<HillisSteele, Map, TILE>(suite, "hillis_steele", {{"index", map}}, n,
                                                    hillis_steele(TILE));
    harness::add_tile_scan<Sklansky, Map, TILE>(suite, "sklansky", {{"index", map}}, n, sklansky(TILE));
    harness::add_tile_scan<BrentKung<>, Map, TILE>(suite, "brent_kung", {{"index", map}}, n,
                                                   brent_kung(TILE));
    harness::add_tile_scan<Blelloch, Map, TILE>(suite, "blelloch", {{"index", map}}, n, blelloch(TILE));
    add_reduction<Map, TILE>(suite, map, n);
}

template <int... TILES>
void add_single_tiles(harness::Suite& suite) {
    (add_all<Plain, TILES>(suite, "plain", TILES), ...);
}

/// The cases drawn in the figure, which have one warp.
void trace_one_warp(harness::Suite& suite) {
    const std::map<std::string, int> tiles = {
        {"scan/hillis_steele", 32}, {"scan/brent_kung", 64}, {"reduce/tree", 64}};
    for (harness::Case& c : suite.cases())
        if (const auto tile = tiles.find(c.factors.kernel()); tile != tiles.end() && c.n == tile->second)
            c.trace();
}

void add_references(harness::Suite& suite, long long n) {
    harness::add_cub_scans<1024>(suite, n);
    suite.reduce<float>({"reduce", "cub_device"}, n, n, harness::cub_device_reduce<float>);
}

void add_cases(harness::Suite& suite) {
    if (suite.timed()) {
        add_all<Padded<>, 1024>(suite, "padded", suite.long_vector());
        add_references(suite, suite.long_vector());
    } else {
        add_single_tiles<32, 64, 256, 1024>(suite);
        for (harness::Case& c : suite.cases()) c.count_steps();
        trace_one_warp(suite);
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
