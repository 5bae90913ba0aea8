// A kernel that scans tiles, made of any algorithm, tile size and index map. What runs and checks it knows
// the element type and the operator alone, so it is compiled once for all of them.
#pragma once
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"

using namespace trial;

template <class T, class Op>
struct ScanOfTiles {
    void (*kernel)(const T* in, T* out, T* sums, long long n, Op op);
    int tile, threads;
    bool inclusive;

    /// in, out: n elements. sums: one for each tile, or null.
    cudaError_t operator()(const T* in, T* out, T* sums, int n) const {
        return launch(kernel, static_cast<unsigned>(ceil_div(n, tile)), static_cast<unsigned>(threads),
                      nullptr, in, out, sums, static_cast<long long>(n), Op{});
    }
};

template <class Algorithm, int TILE, class Map, class T, class Op, int THREADS = Algorithm::threads(TILE)>
ScanOfTiles<T, Op> scan_of_tiles() {
    return {scan_tiles<Algorithm, TILE, THREADS, Map, T, Op>, TILE, THREADS, Algorithm::inclusive};
}
