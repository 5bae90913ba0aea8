#include "experiments/harness/cub.h"
#include "experiments/harness/device_scans.h"
#include "experiments/harness/misaligned.h"
#include "experiments/harness/operands.h"
#include "experiments/harness/selection.h"
#include "experiments/harness/type_names.h"
#include "kernels/device/compact_look_ahead.cuh"
#include "kernels/device/reduce_warp_shares.cuh"
#include "kernels/predicates.cuh"
#ifndef SIMT_MACHINE
#include "kernels/device/scan.cuh"
#endif

namespace {

const harness::Claim CLAIM = {
    "copy_speed",
    98,
    "A scan at the speed of a copy",
    // claim
    "What keeps a single pass from the speed of a copy is how its blocks wait for one another and how their loads "
    "are kept on the way, not the scan. A scan can run at the speed of a copy, a reduction at that of a read.",
    // source
    "Beyond the lecture notes: after Merrill and Garland 2016, and the look-ahead scan of CUB for newer GPUs.",
    // prediction
    "A scan moves as many bytes as a copy. With enough tiles on their way to each multiprocessor all the time, no "
    "chain of prefixes between blocks, and nothing to initialise, it takes 0.96 to 0.98 of a copy's throughput for "
    "long vectors, and for short ones the time of one launch. The targets are stated beforehand, a row each.",
    // method
    "Inclusive scans of all lengths, by element type and operator: ours, CUB of the toolkit, the newest CUB, and a "
    "copy, in one process; cold and warm; as calls on a stream and, of ints, as the replay of a graph. Reductions "
    "beside a kernel that only reads; compactions of half of a vector. Vectors that are off 16 bytes alike, and "
    "not alike. Counted: what runs without the copy engine.",
    // fails_if
    "A target is missed in one of two recordings.",
};

constexpr long long MIB = 1LL << 20;

template <class T, class Op>
std::string kind() {
    const bool sum = std::is_same_v<Op, Sum<T>>;
    return harness::type_factor<T>() + (sum ? "/operator:sum" : "/operator:affine");
}
std::string how(bool as_graph) { return as_graph ? "/submit:graph" : "/submit:stream"; }

using Kept = harness::Selection<int>;

/// Elements below 0: 28 of 64.
void add_compaction(harness::Suite& suite, const std::string& name, long long n,
                    std::function<harness::Work(const std::shared_ptr<Kept>&, cudaStream_t)> make) {
    const auto prepare = [=](cudaStream_t stream) {
        const auto vectors = std::make_shared<Kept>(n, 0);
        vectors->poison();
        const harness::Work work = make(vectors, stream);
        return harness::Trial{[vectors, work] { work(); }, [vectors] { return vectors->find_error(); }};
    };
    suite.own("compact/" + name + harness::type_factor<int>() + how(false), n,
              {8 * n, 4 * n + n / 64 * 28 * 4, prepare});
}

#ifndef SIMT_MACHINE
harness::Case& submit(harness::Case& c, bool as_graph) { return as_graph ? c.as_graph() : c; }

void expect(ScanResult result) {
    if (result != ScanResult::success) throw std::runtime_error("the scan was refused");
}

template <class T, class Op>
harness::Work scan_by_ours(harness::Vectors<T> v) {
    const auto workspace = std::make_shared<ScanWorkspace>(ScanWorkspace::bytes<T>(v.n));
    harness::check(workspace->status(), "room for a scan");
    return [v, workspace] { expect(inclusive_scan(*workspace, v.in, v.out, v.n, Op{}, v.stream)); };
}

template <class T, class Op>
harness::Work scan_by_cub(harness::Vectors<T> v) {
    if constexpr (std::is_same_v<Op, Sum<T>>)
        return harness::cub_device_scan<T>(v);
    else
        return harness::cub_device_scan_by<T, Op>(v);
}

template <class T, class Op>
harness::Work scan_by_newest_cub(harness::Vectors<T> v) {
    if constexpr (std::is_same_v<Op, Sum<T>>)
        return harness::newest::cub_device_scan<T>(v);
    else
        return harness::newest::cub_device_scan_by<T, Op>(v);
}

template <class T, class Op = Sum<T>>
void add_scans(harness::Suite& suite, long long n, bool as_graph = false) {
    const std::string rest = kind<T, Op>() + how(as_graph);
    submit(suite.scan<T, Op>("scan/ours" + rest, n, {n}, scan_by_ours<T, Op>), as_graph);
    submit(suite.scan<T, Op>("scan/cub_device" + rest, n, {n}, scan_by_cub<T, Op>), as_graph);
    if constexpr (harness::has_newest_cub)
        submit(suite.scan<T, Op>("scan/cub_newest" + rest, n, {n}, scan_by_newest_cub<T, Op>), as_graph);
    submit(suite.copy<T>("copy/device_to_device" + harness::type_factor<T>() + how(as_graph), n), as_graph);
}

template <class T, class Op = Sum<T>>
void add_all_lengths(harness::Suite& suite, bool as_graph = false) {
    const long long longest = suite.quick() ? MIB : 4096 * MIB / static_cast<long long>(sizeof(T));
    for (long long n = 1 << 8; n <= longest; n *= 4) add_scans<T, Op>(suite, n, as_graph);
}

void add_run_to_run(harness::Suite& suite, long long n) {
    if constexpr (harness::has_newest_cub)
        suite.scan<float>("scan/cub_newest_run_to_run" + kind<float, Sum<float>>() + how(false), n, {n},
                          harness::newest::cub_device_scan_run_to_run<float>);
}

/// The vectors begin one element behind a multiple of 16 bytes: both, or the input alone.
void add_misaligned(harness::Suite& suite, long long n) {
    for (const bool alike : {true, false}) {
        const std::string off = alike ? "/off:alike" : "/off:apart";
        suite.own("scan/ours" + kind<int, Sum<int>>() + off + how(false), n,
                  harness::misaligned_scan<int>(n, 1, alike ? 1 : 0, scan_by_ours<int, Sum<int>>));
    }
    suite.copy<int>("copy/device_to_device" + harness::type_factor<int>() + how(false), n);
}

void add_reductions(harness::Suite& suite, long long n) {
    const std::string rest = kind<int, Sum<int>>() + how(false);
    suite.reduce<int>("reduce/cub_device" + rest, n, n, harness::cub_device_reduce<int>);
    if constexpr (harness::has_newest_cub)
        suite.reduce<int>("reduce/cub_newest" + rest, n, n, harness::newest::cub_device_reduce<int>);
    suite.read<int>("read/ceiling" + harness::type_factor<int>() + how(false), n);
}

void add_compactions_by_cub(harness::Suite& suite, long long n) {
    const auto vectors_of = [](const std::shared_ptr<Kept>& v, cudaStream_t stream) {
        return harness::Vectors<int>{v->in.data(), v->out.data(), v->n, stream};
    };
    add_compaction(suite, "cub_device", n, [=](const std::shared_ptr<Kept>& v, cudaStream_t stream) {
        return harness::cub_device_select<int>(vectors_of(v, stream), v->keep, v->kept.data());
    });
    if constexpr (harness::has_newest_cub)
        add_compaction(suite, "cub_newest", n, [=](const std::shared_ptr<Kept>& v, cudaStream_t stream) {
            return harness::newest::cub_device_select<int>(vectors_of(v, stream), v->keep, v->kept.data());
        });
}

void add_timed_cases(harness::Suite& suite) {
    add_all_lengths<std::int8_t>(suite);
    add_all_lengths<std::int16_t>(suite);
    add_all_lengths<int>(suite);
    add_all_lengths<long long>(suite);
    add_all_lengths<float>(suite);
    add_all_lengths<double>(suite);
    add_all_lengths<Affine<float>, ComposeAffine<float>>(suite);
    add_all_lengths<Affine<double>, ComposeAffine<double>>(suite);
    add_all_lengths<int>(suite, true);

    const long long longest = suite.quick() ? MIB : 256 * MIB;
    add_run_to_run(suite, longest);
    add_misaligned(suite, longest / 2 + 12345);
    for (const long long n : {1LL << 14, 1LL << 17, MIB, longest}) add_reductions(suite, n);
    add_compactions_by_cub(suite, longest);
}
#else
void add_timed_cases(harness::Suite&) {}
#endif

void add_our_reduction(harness::Suite& suite, long long n) {
    using Op = harness::Counted<Sum<int>>;
    suite
        .reduce<int>("reduce/ours" + kind<int, Sum<int>>() + how(false), n, n,
                     [](harness::Vectors<int> v) {
                         const auto reduce = std::make_shared<WarpSharesReduction<int, Op>>();
                         harness::check(reduce->status(), "room for a reduction");
                         return [=] { (*reduce)(v.in, v.out, v.n, Op{}, v.stream); };
                     })
        .predict("launches", 1)
        .predict("ops", n - 1);
}

void add_our_compaction(harness::Suite& suite, long long n) {
    add_compaction(suite, "ours", n, [](const std::shared_ptr<Kept>& v, cudaStream_t stream) {
        const auto compact = std::make_shared<LookAheadCompaction<int, Below<int>>>(v->n);
        harness::check(compact->status(), "room for a compaction");
        return [=] { (*compact)(v->in.data(), v->out.data(), v->kept.data(), v->n, v->keep, stream); };
    });
}

void add_cases(harness::Suite& suite) {
    if (suite.timed()) {
        add_timed_cases(suite);
        for (const long long n : {1LL << 14, 1LL << 17, MIB, 256 * MIB}) add_our_reduction(suite, n);
        add_our_compaction(suite, 256 * MIB);
        return;
    }
    const long long n = suite.long_vector();
    harness::predict_look_back(suite.scan<float>("scan/look_back/type:float", n, {n},
                                                 harness::device_scan<harness::LookBack<float>, float>),
                               15, 256);
    add_our_reduction(suite, n);
    add_our_compaction(suite, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
