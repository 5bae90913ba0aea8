#include "experiments/harness/cub.h"
#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/threads.cuh"

using namespace trial;

namespace {

using namespace harness::closed_form;

const harness::Claim CLAIM = {
    .order = 20,
    .title = "Which threads do the work of a tree",
    .claim =
        R"(Threads chosen by t % stride == 0 are spaced apart, so every warp stays busy for a few active
           lanes. Threads chosen by t < stride are contiguous, fill whole warps, and are therefore faster.)",
    .source =
        R"(Lecture notes: Programação paralela em GPU: Redução e Scan com CUDA (Portuguese), for the
           reduction; Trabalho eficiente de scan paralelo utilizando árvore de redução (Portuguese, after
           Kirk and Hwu, Programming Massively Parallel Processors, ch. 9), for the up-sweep of Brent and
           Kung 1982.)",
    .prediction =
        R"(Warps that apply the operator in a tile of 1,024, summed over the steps: reduction 111 spaced, 36
           contiguous or halving; Brent-Kung 226 spaced, 71 contiguous. The operations are the same.)",
    .method =
        R"(The same tree with spaced and with contiguous threads; for the reduction also the sources' own
           remedy, halving, which changes the tree and the addresses together with the threads. Crossed with
           the index map, because the choice of threads also decides which lanes share a bank. CUB and a copy
           run beside them.)",
    .fails_if =
        R"(Count: contiguous threads keep no fewer warps active than spaced ones, in the reduction or in
           Brent-Kung, plain or padded. Speed: in such a pair they are not faster.)",
    .headline = true,
};

const char* name_of(Threads threads) {
    switch (threads) {
        case Threads::spaced: return "spaced";
        case Threads::contiguous: return "contiguous";
        case Threads::halving: return "halving";
    }
    return "";
}

harness::Levels levels(Threads threads, const std::string& map, int block, int tile) {
    return {{"threads", name_of(threads)}, {"index", map}, {"block", block}, {"tile", tile}};
}

void predict(harness::Case& c, const TileCost& tile, long long tiles) {
    harness::predict_work(c, tile, tiles);
    harness::predict_wavefronts(c, tile, tiles);
}

template <Threads THREADS, class Map, int TILE>
harness::Case& add_reduction(harness::Suite& suite, const std::string& map, long long n) {
    auto& c = suite.reduce<float>({"reduce", "tree", levels(THREADS, map, TILE / 2, TILE)}, n, TILE,
                                  harness::reduce_every_tile<ReduceTree<THREADS>, Map, TILE, float>);
    predict(c, map == "plain" ? reduce_tree(TILE, THREADS) : reduce_tree_padded(TILE, THREADS), n / TILE);
    return c;
}

template <Threads THREADS, class Map, int TILE, int BLOCK>
harness::Case& add_scan(harness::Suite& suite, const std::string& map, long long n) {
    auto& c = suite.scan<float>({"scan", "brent_kung", levels(THREADS, map, BLOCK, TILE)}, n, {TILE},
                                harness::scan_every_tile<BrentKung<THREADS>, Map, TILE, float, BLOCK>);
    predict(c, map == "plain" ? brent_kung(TILE, THREADS) : brent_kung_padded(TILE, THREADS), n / TILE);
    return c;
}

/// For the figures a single tile of n elements is traced, and the steps of several are counted.
template <class Map, int TILE>
void add_trees(harness::Suite& suite, const std::string& map, long long n) {
    harness::Case* cases[] = {
        &add_reduction<Threads::spaced, Map, TILE>(suite, map, n),
        &add_reduction<Threads::contiguous, Map, TILE>(suite, map, n),
        &add_reduction<Threads::halving, Map, TILE>(suite, map, n),
        &add_scan<Threads::spaced, Map, TILE, TILE>(suite, map, n),
        &add_scan<Threads::contiguous, Map, TILE, TILE>(suite, map, n),
        &add_scan<Threads::contiguous, Map, TILE, TILE / 2>(suite, map, n),
    };
    for (harness::Case* c : cases) n == TILE ? c->trace() : c->count_steps();
}

void add_references(harness::Suite& suite, long long n) {
    suite.reduce<float>({"reduce", "cub_block", {{"tile", 1024}}}, n, 1024,
                        harness::cub_block_reduce<float, 1024>);
    suite.reduce<float>({"reduce", "cub_device"}, n, n, harness::cub_device_reduce<float>);
    suite.scan<float>({"scan", "cub_block", {{"tile", 1024}}}, n, {1024},
                      harness::cub_block_scan<float, 1024>);
    suite.scan<float>({"scan", "cub_device"}, n, {n}, harness::cub_device_scan<float>);
    suite.copy<float>({"copy", "device_to_device"}, n);
}

void add_cases(harness::Suite& suite) {
    const long long n = suite.long_vector();
    add_trees<Plain, 1024>(suite, "plain", n);
    add_trees<Padded<>, 1024>(suite, "padded", n);
    if (suite.timed()) {
        add_references(suite, n);
    } else {
        add_trees<Plain, 64>(suite, "plain", 64);
        add_trees<Padded<>, 64>(suite, "padded", 64);
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
