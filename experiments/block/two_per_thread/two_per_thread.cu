#include <memory>

#include "experiments/closed_forms/device_reductions.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/suite.h"
#include "kernels/textbook/device/reduce_items.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 25,
    .title = "Two elements per thread",
    .claim =
        R"(A block of B threads should take 2 B elements: with one element per thread half of the threads do
           nothing but load.)",
    .source =
        R"(Lecture notes: Programação paralela em GPU: Redução e Scan com CUDA (Portuguese). Earlier: Harris,
           Optimizing parallel reduction in CUDA, 2007.)",
    .prediction =
        R"(With k elements per thread a vector of n needs n / (k B) blocks and ceil(log n / log (k B))
           launches; it takes n - 1 operations whatever k is. With k = 1, B / 2 threads of a block add
           nothing; with k = 2 all do. But the tree of the block and its barriers cost the same for any k, so
           with 4, 8 and 16 they are spread over more elements, and fewer blocks are left to fill the GPU.
           16-byte loads take a quarter of the requests, and the same sectors.)",
    .method =
        R"(A float vector is reduced by one kernel, level by level, until one value is left. Each thread adds
           its elements in registers, then the block reduces in shared memory. Elements per thread are
           crossed with the width of a load, 4 or 16 bytes, with threads per block and with n. CUB's
           device-wide reduction and a copy run beside them; a reduction writes nothing, so the copy is no
           limit.)",
    .fails_if =
        R"(Count: a count differs from its closed form. Speed: at the longest vector, in blocks of a size,
           two elements per thread are not faster than one.)",
};

constexpr int FLOATS_OF_16_BYTES = 4;

using Op = Sum<float>;

template <int THREADS, int ITEMS_PER_THREAD, int WIDTH>
harness::Work reduction(harness::Vectors<float> v) {
    auto reduce = std::make_shared<ItemsReduction<float, Op, ITEMS_PER_THREAD, WIDTH, THREADS>>(v.n);
    harness::check(reduce->status(), "room for the sums");
    return [v, reduce] { (*reduce)(v.in, v.out, v.n, Op{}, v.stream); };
}

void predict(harness::Case& c, int items, int width, int threads) {
    const auto cost = harness::closed_form::reduce_items(c.n, items, width, threads);
    c.predict("ops", c.n - 1)
        .predict("launches", cost.launches)
        .predict("barriers", cost.barriers)
        .predict("warp_ops", cost.warp_ops)
        .predict("shared_load_requests", cost.shared_load_requests)
        .predict("shared_store_requests", cost.shared_store_requests)
        .predict("bank_conflicts", 0)
        .predict("global_load_requests", cost.load_requests)
        .predict("global_load_sectors", cost.load_sectors)
        .predict("global_store_sectors", cost.blocks);
}

template <int THREADS, int ITEMS_PER_THREAD, int WIDTH = 1>
void add_reduction(harness::Suite& suite, long long n) {
    const harness::Levels levels = {{"items", ITEMS_PER_THREAD}, {"load", 4 * WIDTH}, {"threads", THREADS}};
    predict(
        suite.reduce<float>({"reduce", "items", levels}, n, n, reduction<THREADS, ITEMS_PER_THREAD, WIDTH>),
        ITEMS_PER_THREAD, WIDTH, THREADS);
}

template <int THREADS>
void add_block(harness::Suite& suite, long long n) {
    add_reduction<THREADS, 1>(suite, n);
    add_reduction<THREADS, 2>(suite, n);
    add_reduction<THREADS, 4>(suite, n);
    add_reduction<THREADS, 8>(suite, n);
    add_reduction<THREADS, 16>(suite, n);
    add_reduction<THREADS, 4, FLOATS_OF_16_BYTES>(suite, n);
    add_reduction<THREADS, 8, FLOATS_OF_16_BYTES>(suite, n);
    add_reduction<THREADS, 16, FLOATS_OF_16_BYTES>(suite, n);
}

void add_references(harness::Suite& suite, long long n) {
    suite.reduce<float>({"reduce", "cub_device"}, n, n, harness::cub_device_reduce<float>);
    suite.copy<float>({"copy", "device_to_device"}, n);
}

void add_all(harness::Suite& suite, long long n) {
    add_block<256>(suite, n);
    add_block<1024>(suite, n);
    if (suite.timed()) add_references(suite, n);
}

void add_cases(harness::Suite& suite) {
    const long long longest = suite.long_vector();
    add_all(suite, longest);
    if (suite.timed()) {
        for (long long n = longest / 4; n >= longest / 256; n /= 4) add_all(suite, n);
    } else {
        add_all(suite, longest + 4352);  // its last tile is a partial one
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
