// One block of eight warps scans one tile by Hillis and Steele's scan: what the page shows cycle by cycle.
//
//     build/simt-run --counts-only --clock nvidia-h200 --trace 1 --json FILE build/gpu/one_tile
#include <cstdio>
#include <vector>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"

using namespace trial;

int main() {
    constexpr int TILE = 256, THREADS = HillisSteele::threads(TILE);
    const std::vector<float> ones(TILE, 1);
    float *in = nullptr, *out = nullptr, *const no_sums = nullptr, last = 0;
    (void)cudaMalloc(&in, TILE * sizeof(float));
    (void)cudaMalloc(&out, TILE * sizeof(float));
    (void)cudaMemcpy(in, ones.data(), TILE * sizeof(float), cudaMemcpyHostToDevice);
    (void)launch(scan_tiles<HillisSteele, TILE, THREADS, Plain, float, Sum<float>>, 1u, THREADS, nullptr, in,
                 out, no_sums, static_cast<long long>(TILE), Sum<float>{});
    (void)cudaMemcpy(&last, out + TILE - 1, sizeof last, cudaMemcpyDeviceToHost);
    if (last != TILE) std::fprintf(stderr, "one_tile: the last prefix is %g, not %d\n", last, TILE);
    return last != TILE;
}
