#include <memory>

#include "experiments/closed_forms/device_reductions.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/suite.h"
#include "kernels/textbook/device/reduce_atomic.cuh"
#include "kernels/textbook/device/reduce_chunks.cuh"
#include "kernels/textbook/device/reduce_last_block.cuh"
#include "kernels/textbook/device/reduce_recursive.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 28,
    .title = "Reduction level by level",
    .claim =
        R"(A vector of any length is reduced tile by tile, then the partial sums by the same kernel, until
           one is left. n elements take as many launches as it takes to divide n by the tile down to one, and
           the work of the levels after the first hardly counts.)",
    .source =
        R"(Lecture notes: Programação paralela em GPU: Redução e Scan com CUDA (Portuguese). Earlier: Harris,
           Optimizing parallel reduction in CUDA, 2007.)",
    .prediction =
        R"(Blocks of B threads, tiles of 2 B elements: L = ceil(log n / log 2 B) launches, n - 1 operations,
           4 n bytes read, and about that divided by the tile for the levels after the first. A last block
           that reduces the sums of all blocks, or atomics, take one launch. If the claim is right, they take
           as long.)",
    .method =
        R"(The source's kernel, a contiguous tree, in tiles of 256, 1,024 and 2,048 floats, by length. The
           cost of one more launch is measured on a pair that differs in nothing else: at most 1,024 blocks,
           each with a chunk of the vector, whose sums are reduced by a second launch of the same kernel, or
           by the last block to finish. Atomics, CUB's reduction and a copy, which also writes, run beside
           them.)",
    .fails_if =
        R"(Count: launches or operations differ from their closed forms. Speed: at a length of more than one
           chunk, reducing the chunks in two launches takes over 10% more time than with the last block.)",
};

using Op = Sum<float>;
using harness::closed_form::ReductionCost;

/// The reduction as work, which owns the memory for its sums.
template <class Reduction, class... Capacity>
harness::Work by(harness::Vectors<float> v, Capacity... capacity) {
    const auto reduction = std::make_shared<Reduction>(capacity...);
    harness::check(reduction->status(), "room for sums");
    return [v, reduction] { (*reduction)(v.in, v.out, v.n, Op{}, v.stream); };
}

void add(harness::Suite& suite, const harness::Factors& factors, long long n, const ReductionCost& cost,
         harness::Prepare<float> prepare) {
    suite.reduce<float>(factors, n, n, std::move(prepare))
        .predict("launches", cost.launches)
        .predict("ops", cost.ops)
        .predict("barriers", cost.barriers)
        .predict("atomic_requests", cost.atomics)
        .predict("global_bytes_read", 32 * cost.load_sectors)
        .predict("global_bytes_written", 32 * cost.store_sectors);
}

template <int TILE>
void add_recursive(harness::Suite& suite, long long n) {
    add(suite, {"reduce", "recursive", {{"tile", TILE}}}, n, harness::closed_form::reduce_recursive(n, TILE),
        [](harness::Vectors<float> v) { return by<RecursiveReduction<float, Op, TILE>>(v, v.n); });
}

void add_one_or_two_launches(harness::Suite& suite, long long n) {
    add(suite, {"reduce", "shares"}, n, harness::closed_form::reduce_chunks(n, false),
        [](harness::Vectors<float> v) { return by<ChunksReduction<float, Op>>(v); });
    add(suite, {"reduce", "last_block"}, n, harness::closed_form::reduce_chunks(n, true),
        [](harness::Vectors<float> v) { return by<LastBlockReduction<float, Op>>(v); });
    add(suite, {"reduce", "atomic"}, n, harness::closed_form::reduce_atomic(n),
        [](harness::Vectors<float> v) { return [v] { reduce_atomic(v.in, v.out, v.n, Op{}, v.stream); }; });
}

void add_length(harness::Suite& suite, long long n) {
    add_recursive<256>(suite, n);
    add_recursive<1024>(suite, n);
    add_recursive<2048>(suite, n);
    add_one_or_two_launches(suite, n);
    if (!suite.timed()) return;
    suite.reduce<float>({"reduce", "cub_device"}, n, n, harness::cub_device_reduce<float>);
    suite.copy<float>({"copy", "device_to_device"}, n);
}

void add_cases(harness::Suite& suite) {
    if (suite.timed()) {
        const long long longest = suite.quick() ? 1 << 16 : 1 << 28;
        for (long long n = 1 << 10; n <= longest; n *= 4) add_length(suite, n);
        return;
    }
    for (const long long n : {1LL, 1LL << 10, (1LL << 10) + 1, 1LL << 16}) add_length(suite, n);
    if (!suite.quick()) add_length(suite, (1LL << 20) + 1);  // three levels of tiles of 1,024
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
