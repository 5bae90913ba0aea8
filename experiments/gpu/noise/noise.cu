#include "experiments/closed_forms/device_scans.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"

#include <memory>

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 900,
    .title = "Two measurements of one thing",
    .claim =
        R"(Two measurements of one thing agree: their confidence intervals overlap, so intervals that do not
           overlap indicate different things.)",
    .source =
        R"(Hoefler and Belli, Scientific benchmarking of parallel computing systems, 2015. Every time in this
           report rests on it.)",
    .prediction =
        R"(Twins do the same work: all their counts are equal. Intervals that hold the true median with 95%
           confidence fail to overlap in fewer than 5% of the pairs.)",
    .method =
        R"(An A/A test. Every case exists twice, as twin a and twin b: the same kernel, the same vectors and
           workspaces, repetitions interleaved at random in one process. Crossed: a copy, Hillis-Steele and
           Blelloch in tiles of 1,024 floats, the three-phase scan with its spine on the device, CUB's
           device-wide scan; five lengths, because the time of a short vector is mostly that of a launch;
           cold and warm.)",
    .fails_if =
        R"(Count: a count of one twin differs from the other's. Speed: at a length, the intervals of over 5%
           of the pairs of twins do not overlap.)",
};

constexpr int TILE = 1024;
using Op = Sum<float>;

/// Prepares one work for both twins, and with it one set of workspaces.
harness::Prepare<float> once(harness::Prepare<float> prepare) {
    struct Made {
        harness::Vectors<float> vectors;
        harness::Work work;
    };
    const auto made = std::make_shared<Made>();
    return [made, prepare = std::move(prepare)](harness::Vectors<float> v) {
        const auto& old = made->vectors;
        const bool same = old.in == v.in && old.out == v.out && old.n == v.n && old.stream == v.stream;
        if (!made->work || !same) *made = {v, prepare(v)};
        return made->work;
    };
}

harness::Work three_phase(harness::Vectors<float> v) {
    const auto scan = std::make_shared<ThreePhaseScan<float, Op>>(Spine::device, v.n);
    harness::check(scan->status(), "block sums");
    return [v, scan] { (*scan)(v.in, v.out, v.n, Op{}, v.stream); };
}

const char* const TWINS[] = {"a", "b"};

template <class Algorithm>
void add_tiles(harness::Suite& suite, const std::string& algorithm, long long n,
               const harness::closed_form::TileCost& cost) {
    const auto work = once(harness::scan_every_tile<Algorithm, Plain, TILE, float>);
    for (const char* twin : TWINS) {
        auto& c =
            suite.scan<float>({"scan", algorithm, {{"twin", twin}}}, n, {TILE, Algorithm::inclusive}, work);
        harness::predict_work(c, cost, n / TILE);
        harness::predict_wavefronts(c, cost, n / TILE);
    }
}

void add_three_phase(harness::Suite& suite, long long n) {
    const auto cost = harness::closed_form::three_phase(n, false);
    const auto work = once(three_phase);
    for (const char* twin : TWINS) {
        suite.scan<float>({"scan", "three_phase", {{"twin", twin}}}, n, {n}, work)
            .predict("ops", cost.ops)
            .predict("launches", cost.launches)
            .predict("global_bytes_read", 32 * cost.load_sectors)
            .predict("global_bytes_written", 32 * cost.store_sectors);
    }
}

void add_references(harness::Suite& suite, long long n) {
    const auto work = once(harness::cub_device_scan<float>);
    for (const char* twin : TWINS) {
        suite.scan<float>({"scan", "cub_device", {{"twin", twin}}}, n, {n}, work);
        suite.copy<float>({"copy", "device_to_device", {{"twin", twin}}}, n);
    }
}

void add_cases(harness::Suite& suite) {
    const int longest = suite.timed() ? (suite.quick() ? 20 : 26) : (suite.quick() ? 12 : 16);
    for (const int log : {12, 16, 20, 24, 26}) {
        if (log > longest) break;
        const long long n = 1LL << log;
        add_tiles<HillisSteele>(suite, "hillis_steele", n, harness::closed_form::hillis_steele(TILE));
        add_tiles<Blelloch>(suite, "blelloch", n, harness::closed_form::blelloch(TILE));
        add_three_phase(suite, n);
        if (suite.timed()) add_references(suite, n);
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
