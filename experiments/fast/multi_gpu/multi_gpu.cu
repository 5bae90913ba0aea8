#include <algorithm>
#include <cstdio>
#include <set>

#include "experiments/closed_forms/parts.h"
#include "experiments/fast/multi_gpu/counted_parts.h"
#include "experiments/fast/multi_gpu/scans_beside_parts.h"
#include "experiments/harness/device_scans.h"
#include "experiments/harness/suite.h"
#include "experiments/libraries/nccl_on_demand.h"
#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/multi_gpu/nccl_one_process.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 99,
    .title = "A scan over several GPUs",
    .claim =
        R"(The idea of the block sums repeats one level up: each GPU reduces its part, the totals of the
           parts are scanned, and each GPU scans its part starting from its prefix. One element per GPU
           crosses the links.)",
    .source =
        R"(Beyond the lecture notes: Harris, Sengupta and Owens, GPU Gems 3, chapter 39, for blocks; the
           estimate is ours.)",
    .prediction =
        R"(No GPU may write before all parts to its left have been read, so all GPUs but the last read their
           part twice: 3n bytes instead of 2n, about 2/3 of one GPU's rate each. A part that fits in a GPU's
           registers is read once. The exchange by flags in peer memory adds less than 8 µs to a scan of 2^20
           elements per GPU.)",
    .method =
        R"(Inclusive sums of floats, equally many elements on each GPU, one process for all GPUs of a host.
           Weak scaling: 2^31, 2^28 and 2^20 floats per GPU. Strong scaling: 2^31 and 2^28 in all. The time
           is that of the slowest GPU, with all work queued ahead, links awake and a common start; where the
           host takes part, the host's (clock:host). The totals are exchanged by flags, by NCCL, or through
           the host; the reduction reads its part in ascending or descending order. Beside it run one GPU
           that holds the whole vector, and one that gathers, scans and scatters.)",
    .fails_if =
        R"(Count: a count differs from its closed form. Speed: with a number of GPUs and parts of 2^28 floats
           or more, a scan reaches less than 95% of the estimate, 2/3 of one GPU's rate on each; or
           exchanging the totals by flags adds 8 µs or more to a scan of 2^20 floats per GPU.)",
};

using Op = Sum<float>;
using harness::check;

using harness::CasesOnGpus;
using harness::Clock;
using harness::OnGpus;
using harness::PartsOnGpus;

constexpr long long LONGEST = 1LL << 31, LONG = 1LL << 28, SHORT = 1 << 20;  ///< floats of a part
using Scan = FastPartScan<float, Op>;

/// The reduction reads its part in ascending or descending order: descending, so that the scan finds the
/// front of the part in the cache.
template <bool DESCENDING>
using ScanInOrder =
    FastPartScan<float, Op, Form::inclusive,
                 WarpChunksReduction<float, Op, WarpChunksPolicy<256, 4, 8192, 5, DESCENDING>>>;

template <class Exchange, class Scan = ::Scan>
void add_parts(CasesOnGpus& cases, const std::string& way, OnGpus where,
               const std::string& order = "default") {
    cases.add_scan("parts", {{"exchange", way}, {"reduce", order}}, where, [=](PartsOnGpus& all) {
        const auto exchange = all.exchange<Exchange>(where.gpus);
        const auto parts = all.parts<Scan>(where.gpus, where.part);
        return [=] { check(scan_parts(parts, Op{}, *exchange), "scan of parts"); };
    });
}

/// The exchange alone, of the totals of parts of one element.
template <class Exchange>
void add_exchange(CasesOnGpus& cases, const std::string& way, int gpus, Clock clock) {
    const auto make = [=](PartsOnGpus& all) {
        const auto exchange = all.exchange<Exchange>(gpus);
        const auto parts = all.parts<Scan>(gpus, 1);
        return [=] { check((*exchange)(parts, Op{}), "exchange"); };
    };
    const auto poison = [=](PartsOnGpus& all) { all.reduce_again<Scan>(gpus, Op{}); };
    const auto find_error = [=](PartsOnGpus& all) { return all.find_error_before<Scan>(gpus); };
    cases.add({"exchange", way}, {gpus, 1, clock}, make, poison, find_error);
}

void add_ways(CasesOnGpus& cases, int gpus, bool nccl) {
    for (const Clock clock : {Clock::gpu, Clock::host}) {
        add_exchange<FlagExchange<float>>(cases, "flags", gpus, clock);
        if (clock == Clock::host) add_parts<FlagExchange<float>>(cases, "flags", {gpus, SHORT, clock});
        if (!nccl) continue;
        add_exchange<NcclPartsExchange<float>>(cases, "nccl", gpus, clock);
        add_parts<NcclPartsExchange<float>>(cases, "nccl", {gpus, SHORT, clock});
    }
    add_exchange<HostExchange>(cases, "host", gpus, Clock::host);
    add_parts<HostExchange>(cases, "host", {gpus, SHORT, Clock::host});
}

void add_orders(CasesOnGpus& cases, int gpus) {
    for (long long n = 1 << 23; n <= std::min(cases.longest_part(), 1LL << 29); n *= 4) {
        add_parts<FlagExchange<float>, ScanInOrder<false>>(cases, "flags", {gpus, n}, "ascending");
        add_parts<FlagExchange<float>, ScanInOrder<true>>(cases, "flags", {gpus, n}, "descending");
    }
}

void add_timed_cases(harness::Suite& suite) {
    CasesOnGpus cases(suite, suite.quick() ? 1 << 22 : LONGEST);
    const int all = cases.gpus();
    if (all < 2) std::fprintf(stderr, "multi_gpu: only one GPU: the cases on several GPUs are left out\n");
    std::set<long long> alone;  // lengths that one GPU scans
    const std::set<long long> parts = {cases.longest_part(), std::min(cases.longest_part(), LONG), SHORT};
    for (const long long weak : parts) {
        alone.insert(weak);
        for (int gpus = 2; gpus <= all; gpus *= 2) {
            add_parts<FlagExchange<float>>(cases, "flags", {gpus, weak});
            alone.insert(weak * gpus);
            const long long strong = weak / gpus;  // per GPU, of `weak` in all
            if (weak == SHORT || strong < SHORT) continue;
            harness::add_gathered(cases, {gpus, strong});
            add_parts<FlagExchange<float>>(cases, "flags", {gpus, strong});
        }
    }
    for (const long long n : alone) harness::add_one_gpu(cases, n);
    harness::add_one_gpu(cases, SHORT, Clock::host);
    const std::string no_nccl = all < 2 ? "" : harness::why_no_nccl();
    if (!no_nccl.empty()) std::fprintf(stderr, "multi_gpu: without NCCL: %s\n", no_nccl.c_str());
    for (int gpus = 2; gpus <= all; gpus *= 2) add_ways(cases, gpus, no_nccl.empty());
    if (all >= 2) add_orders(cases, all >= 4 ? 4 : 2);
}

/// Parts of n floats, by look-back or by the kernels that are timed.
template <class Scan>
harness::Case& add_counted(harness::Suite& suite, const std::string& algorithm, int count, long long n) {
    const auto prepare = [=](cudaStream_t stream) {
        return harness::scan_counted_parts<Scan, Op>(count, n, stream);
    };
    const harness::Levels levels = {{"exchange", "flags"}, {"parts", count}, {"part", n}};
    return suite.own({"scan", algorithm, levels}, n * count, {0, 8 * n * count, prepare}).on_single_core();
}

void add_counted_cases(harness::Suite& suite) {
    const long long n = suite.long_vector() / 4;
    for (int count = 1; count <= 5; ++count) {
        const auto cost = harness::closed_form::scan_in_parts(count, n, look_back_items<float>());
        harness::predict_device_scan(add_counted<PartScan<float, Op>>(suite, "parts", count, n), cost,
                                     cost.ops);
    }
    for (int count = 1; count <= 3; ++count) {
        add_counted<harness::RingPartScan<float, Op>>(suite, "parts_by_ring", count, n)
            .predict("launches", 3 * count - 1)  // no total of the last part
            .predict("bulk_bytes_loaded", 4 * n * count)
            .predict("bulk_bytes_stored", 4 * n * count);
        add_counted<FastPartScan<float, Op>>(suite, "parts_by_one_wave", count, n)
            .predict("launches", count)
            .predict("global_bytes_read", 4 * n * count);
    }
}

void add_cases(harness::Suite& suite) {
    if (suite.timed()) return add_timed_cases(suite);
    add_counted_cases(suite);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
