#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 910,
    .title = "The cost of a launch",
    .claim =
        R"(A kernel launch has negligible hardware overhead and low software overhead. The end of one kernel
           and the launch of the next can therefore serve as a barrier of the whole grid between the levels
           of a reduction.)",
    .source =
        R"(Harris, Optimizing parallel reduction in CUDA, 2007. The lecture notes Programação paralela em
           GPU: Redução e Scan com CUDA (Portuguese) rely on it to reduce level by level.)",
    .prediction =
        R"(k empty kernels take k launches, apply no operator and access no memory. If the claim is right,
           they take hardly longer than one.)",
    .method =
        R"(k = 1, 2, 4, 8, 16 empty kernels one after the other in a stream: the cost of one more launch is
           the slope of the time over k. Grids of 1 block and of 1,024 blocks of 512 threads; as many blocks
           reduce 2²⁰ floats in tiles of 1,024, and they fill the GPU. Queued ahead, after a kernel that
           keeps the GPU busy: the GPU's own time; or queued by the host while the clock runs: the time that
           a program waits if it has nothing queued. For scale, one level of that reduction and a copy, by
           length.)",
    .fails_if =
        R"(Count: a count differs from its closed form. Speed: one more launch takes at least 5% of the time
           of one level of the reduction of 2^20 floats, which fill the GPU, or of 2^22, as many as the
           source measured; with either grid, queued ahead or live.)",
};

constexpr int TILE = 1024;
constexpr int THREADS = TILE / 2;

__global__ void empty() {}

void add_empty_kernels(harness::Suite& suite, int kernels, unsigned blocks, harness::Queued queued) {
    const std::string when = queued == harness::Queued::live ? "live" : "ahead";
    const auto prepare = [kernels, blocks](harness::Vectors<int> v) {
        return [=] {
            for (int k = 0; k < kernels; ++k) launch(empty, blocks, THREADS, v.stream);
        };
    };
    suite.launch({"launch", "empty", {{"kernels", kernels}, {"blocks", blocks}, {"queued", when}}}, prepare)
        .queue(queued)
        .repeat(41)
        .predict("launches", kernels)
        .predict("ops", 0)
        .predict("barriers", 0)
        .predict("global_load_sectors", 0)
        .predict("global_store_sectors", 0);
}

/// One level of the reduction, as in the source's third kernel: contiguous threads, halving strides.
void add_level(harness::Suite& suite, long long n) {
    using Algorithm = ReduceTree<Threads::halving>;
    auto& c = suite.reduce<float>({"reduce", "tree", {{"tile", TILE}}}, n, TILE,
                                  harness::reduce_every_tile<Algorithm, Plain, TILE, float>);
    harness::predict_work(c, harness::closed_form::reduce_tree(TILE, Threads::halving), n / TILE);
    c.predict("launches", 1);
}

void add_cases(harness::Suite& suite) {
    for (const int kernels : {1, 2, 4, 8, 16}) {
        for (const unsigned blocks : {1u, 1024u}) {
            add_empty_kernels(suite, kernels, blocks, harness::Queued::ahead);
            if (suite.timed()) add_empty_kernels(suite, kernels, blocks, harness::Queued::live);
        }
    }
    if (suite.timed()) suite.copy<float>({"copy", "device_to_device"}, 1);
    const long long longest = suite.long_vector();
    for (long long n = TILE; n <= longest; n *= 4) {
        add_level(suite, n);
        if (suite.timed()) suite.copy<float>({"copy", "device_to_device"}, n);
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
