// What the experiments on block algorithms share: the work of one launch that scans, or reduces, every tile,
// and its closed forms.
#pragma once
#include <string>

#include "experiments/closed_forms/tile_scans.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/suite.h"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/device/reduce_tiles.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"

namespace harness {

// What launches a kernel is compiled once for all kernels with the same parameters: there are hundreds.

/// Launch a kernel of scan_tiles.cuh, without sums of the tiles.
template <class T, class Op>
Work launch_scan(void (*kernel)(const T*, T*, T*, long long, Op), int tile, int threads, Vectors<T> v) {
    T* const no_sums = nullptr;
    const auto blocks = static_cast<unsigned>(ceil_div(v.n, tile));
    return [=] { launch(kernel, blocks, threads, v.stream, v.in, v.out, no_sums, v.n, Op{}); };
}

/// Launch a kernel that takes each tile from v.in to its result in v.out.
template <class T, class Op>
Work launch_on_tiles(void (*kernel)(const T*, T*, long long, Op), int tile, int threads, Vectors<T> v) {
    const auto blocks = static_cast<unsigned>(ceil_div(v.n, tile));
    return [=] { launch(kernel, blocks, threads, v.stream, v.in, v.out, v.n, Op{}); };
}

/// Scan every tile independently, with the algorithm's own number of threads or with more.
template <class Algorithm, class Map, int TILE, class T, int THREADS = Algorithm::threads(TILE)>
Work scan_every_tile(Vectors<T> v) {
    return launch_scan(scan_tiles<Algorithm, TILE, THREADS, Map, T, Sum<T>>, TILE, THREADS, v);
}

/// Reduce every tile to its sum, with the algorithm's own number of threads.
template <class Algorithm, class Map, int TILE, class T>
Work reduce_every_tile(Vectors<T> v) {
    constexpr int THREADS = Algorithm::threads(TILE);
    return launch_on_tiles(reduce_tiles<Algorithm, TILE, THREADS, Map, T, Sum<T>>, TILE, THREADS, v);
}

/// Predict what no index map changes.
inline void predict_work(Case& c, const closed_form::TileCost& tile, long long tiles) {
    c.predict("ops", tile.ops * tiles)
        .predict("warp_ops", tile.warp_ops * tiles)
        .predict("active_warps", tile.active_warps * tiles)
        .predict("barriers", tile.barriers * tiles)
        .predict("shared_load_requests", tile.shared_load_requests * tiles)
        .predict("shared_store_requests", tile.shared_store_requests * tiles);
}

/// Predict what the index map determines.
inline void predict_wavefronts(Case& c, const closed_form::TileCost& tile, long long tiles) {
    c.predict("shared_load_wavefronts", tile.shared_load_wavefronts * tiles)
        .predict("shared_store_wavefronts", tile.shared_store_wavefronts * tiles)
        .predict("bank_conflicts", tile.bank_conflicts() * tiles);
}

/// Every tile scanned independently by Algorithm; the tile is a further factor.
template <class Algorithm, class Map, int TILE>
Case& add_tile_scan(Suite& suite, const std::string& algorithm, const Levels& levels, long long n,
                    const closed_form::TileCost& cost) {
    const Levels tile = {{"tile", TILE}};
    Case& c = suite.scan<float>({"scan", algorithm, levels + tile}, n, {TILE, Algorithm::inclusive},
                                scan_every_tile<Algorithm, Map, TILE, float>);
    predict_work(c, cost, n / TILE);
    return c;
}

/// CUB's scan of each tile and of the whole vector, and the copy limit: timed cases.
template <int... TILES>
void add_cub_scans(Suite& suite, long long n) {
    (suite.scan<float>({"scan", "cub_block", {{"tile", TILES}}}, n, {TILES}, cub_block_scan<float, TILES>),
     ...);
    suite.scan<float>({"scan", "cub_device"}, n, {n}, cub_device_scan<float>);
    suite.copy<float>({"copy", "device_to_device"}, n);
}

}  // namespace harness
