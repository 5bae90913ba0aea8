#include <memory>

#include "experiments/closed_forms/device_reductions.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/device_scans.h"
#include "kernels/launch.cuh"
#include "kernels/textbook/device/reduce_last_block.cuh"
#include "kernels/textbook/device/reduce_recursive.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 60,
    .title = "The total of a scan",
    .claim =
        R"(The last prefix plus the last element is the reduction of the vector: a scan gives the total for
           free.)",
    .source = "Lecture notes: Programação paralela em GPU: Redução e Scan com CUDA (Portuguese).",
    .prediction =
        R"(An inclusive scan ends with the total. After an exclusive scan it takes one operation, two loads
           and a store, in a separate launch; or one more element, where the scan leaves the total after the
           last prefix. If only the total is wanted, the scan is overhead: a reduction takes n - 1 operations
           and reads n elements; look-back takes about twice as many operations and moves 2 n,
           reduce-then-scan 3 n, scan-then-add 4 n. If bytes decide, the scan takes at least twice as long.)",
    .method =
        R"(Sums of floats by length. First, only the total is wanted: inclusive scans compared with
           reductions of the same vector, level by level and in one launch. Second, the scan is wanted
           anyway: an exclusive scan alone, and followed by the total, from the last prefix and element, from
           one more element, or from a separate reduction. CUB's scan and reduction and a copy run beside
           them.)",
    .fails_if =
        R"(Count: after a scan, the total takes more than one operation. Speed: at a length, the faster of
           two ways to the total (the last prefix and element; one more element) makes an exclusive scan take
           over 10% more time.)",
};

using Op = Sum<float>;
using harness::Vectors;
using harness::Work;
using harness::closed_form::DeviceScanCost;
using harness::closed_form::ReductionCost;
using LastBlock = LastBlockReduction<float, Op>;

/// Add the last element to the last prefix of an exclusive scan of n elements. Grid: 1 block of 1 thread.
__global__ void add_last(const float* in, const float* prefixes, float* total, long long n, Op op) {
    *total = op(prefixes[n - 1], in[n - 1]);
}

/// How the total after an exclusive scan is obtained.
enum class Total { none, last, one_more, reduction };
const char* const TOTAL[] = {"none", "last", "one_more", "reduction"};

/// The exclusive scan of v.n elements; or of v.n - 1 elements, and then their total. The output is the
/// exclusive scan of v.n elements either way.
template <class Scan>
Work scan_and_total(Vectors<float> v, Total total) {
    const bool apart = total == Total::last || total == Total::reduction;
    const long long n = apart ? v.n - 1 : v.n;
    const auto scan = std::make_shared<Scan>(n);
    const auto reduction = std::make_shared<LastBlock>();
    harness::check(scan->status(), "room for a scan");
    harness::check(reduction->status(), "room for sums");
    return [=] {
        (*scan)(v.in, v.out, n, Op{}, v.stream);
        if (total == Total::last) launch(add_last, 1, 1, v.stream, v.in, v.out, v.out + n, n, Op{});
        if (total == Total::reduction) (*reduction)(v.in, v.out + n, n, Op{}, v.stream);
    };
}

DeviceScanCost exclusive_look_back(long long n) {
    constexpr long long ITEMS_PER_THREAD = look_back_items<float>(), THREADS = 256;
    DeviceScanCost cost = harness::closed_form::look_back(n, ITEMS_PER_THREAD * THREADS);
    cost.ops = harness::closed_form::look_back_exclusive_ops_in_order(n, ITEMS_PER_THREAD, THREADS);
    return cost;
}

DeviceScanCost with_total(DeviceScanCost cost, Total total, long long n) {
    if (total == Total::last) return cost + DeviceScanCost{1, 1, 2, 1};
    if (total != Total::reduction) return cost;
    const ReductionCost more = harness::closed_form::reduce_chunks(n, true);
    return cost + DeviceScanCost{more.ops, more.launches, more.load_sectors, more.store_sectors};
}

template <class Scan>
void add_exclusive(harness::Suite& suite, const std::string& algorithm, long long n,
                   DeviceScanCost (*cost_of)(long long)) {
    for (const Total total : {Total::none, Total::last, Total::one_more, Total::reduction}) {
        const harness::Levels levels = {{"form", "exclusive"}, {"total", TOTAL[int(total)]}};
        const long long elements = total == Total::none ? n : n + 1;
        auto& c = suite.scan<float>({"scan", algorithm, levels}, elements, {elements, false},
                                    [total](Vectors<float> v) { return scan_and_total<Scan>(v, total); });
        const auto cost = with_total(cost_of(total == Total::one_more ? elements : n), total, n);
        predict_device_scan(c.on_single_core(), cost, cost.ops);
    }
}

void add_scans(harness::Suite& suite, long long n) {
    using harness::device_scan;
    const harness::Levels form = {{"form", "inclusive"}};
    predict_three_phase(suite.scan<float>({"scan", "three_phase", form}, n, {n},
                                          device_scan<harness::ThreePhase<float>, float>));
    predict_two_reads(suite.scan<float>({"scan", "reduce_then_scan", form}, n, {n},
                                        device_scan<harness::TwoReads<float>, float>));
    predict_look_back(
        suite.scan<float>({"scan", "look_back", form}, n, {n}, device_scan<harness::LookBack<float>, float>),
        look_back_items<float>(), 256);
    add_exclusive<ReduceThenScan<float, Op, Form::exclusive>>(suite, "reduce_then_scan", n,
                                                              harness::closed_form::reduce_then_scan);
    add_exclusive<LookBackScan<float, Op, Form::exclusive>>(suite, "look_back", n, exclusive_look_back);
}

template <class Reduction, class... Capacity>
void add_reduction(harness::Suite& suite, const std::string& algorithm, long long n,
                   const ReductionCost& cost, Capacity... capacity) {
    auto& c = suite.reduce<float>({"reduce", algorithm}, n, n, [capacity...](Vectors<float> v) -> Work {
        const auto reduction = std::make_shared<Reduction>(capacity...);
        harness::check(reduction->status(), "room for sums");
        return [v, reduction] { (*reduction)(v.in, v.out, v.n, Op{}, v.stream); };
    });
    predict_device_scan(c, cost, cost.ops);
}

void add_length(harness::Suite& suite, long long n) {
    add_scans(suite, n);
    add_reduction<LastBlock>(suite, "last_block", n, harness::closed_form::reduce_chunks(n, true));
    add_reduction<RecursiveReduction<float, Op>>(suite, "recursive", n,
                                                 harness::closed_form::reduce_recursive(n, 1024), n);
    if (!suite.timed()) return;
    suite.scan<float>({"scan", "cub_device", {{"form", "inclusive"}}}, n, {n},
                      harness::cub_device_scan<float>);
    suite.reduce<float>({"reduce", "cub_device"}, n, n, harness::cub_device_reduce<float>);
    suite.copy<float>({"copy", "device_to_device"}, n);
}

void add_cases(harness::Suite& suite) {
    const long long longest = suite.quick() ? 1 << 14 : suite.timed() ? 1 << 28 : 1 << 16;
    for (long long n = 1 << 12; n <= longest; n *= 4) add_length(suite, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
