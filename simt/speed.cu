// Benchmark of the SIMT machine. A lane-step is one memory access, one application of an operator, or one
// barrier, of one lane.
#include <benchmark/benchmark.h>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/device/reduce_tiles.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"
#include "simt/simt.h"

namespace {

using Op = simt::Counted<Sum<float>>;
constexpr int TILE = 1024;
constexpr long long N = 1 << 18;

template <class Launch>
void measure(benchmark::State& state, Launch run) {
    float *in = nullptr, *out = nullptr;
    if (cudaMalloc(&in, N * sizeof(float)) != cudaSuccess ||
        cudaMalloc(&out, N * sizeof(float)) != cudaSuccess) {
        state.SkipWithError("no memory");
        return;
    }
    (void)cudaMemset(in, 0, N * sizeof(float));
    double lane_steps = 0;
    for (auto _ : state) {
        const auto recording = simt::record([&] { run(in, out); });
        const simt::Counters total = recording.total();
        lane_steps +=
            double(total.ops + total.request_lanes) + double(total.barriers) * recording.launches[0].threads;
    }
    state.counters["lane_steps_per_second"] = benchmark::Counter(lane_steps, benchmark::Counter::kIsRate);
    (void)cudaFree(in);
    (void)cudaFree(out);
}

template <class Algorithm>
void scan(benchmark::State& state) {
    constexpr int THREADS = Algorithm::threads(TILE);
    measure(state, [](float* in, float* out) {
        float* const no_sums = nullptr;
        launch(scan_tiles<Algorithm, TILE, THREADS, Plain, float, Op>, N / TILE, THREADS, nullptr, in, out,
               no_sums, N, Op{});
    });
}

void reduction(benchmark::State& state) {
    using Algorithm = ReduceTree<Threads::spaced>;
    constexpr int THREADS = Algorithm::threads(TILE);
    measure(state, [](float* in, float* out) {
        launch(reduce_tiles<Algorithm, TILE, THREADS, Plain, float, Op>, N / TILE, THREADS, nullptr, in, out,
               N, Op{});
    });
}

BENCHMARK(scan<HillisSteele>)
    ->Name("hillis_steele")
    ->UseRealTime()
    ->MinTime(0.5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(scan<Blelloch>)->Name("blelloch")->UseRealTime()->MinTime(0.5)->Unit(benchmark::kMillisecond);
BENCHMARK(reduction)->Name("reduce_spaced")->UseRealTime()->MinTime(0.5)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
