#include <functional>
#include <memory>

#include "experiments/closed_forms/run_length_decoding.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/suite.h"
#include "experiments/uses/allocation/runs.h"
#include "kernels/textbook/device/run_length_decode.cuh"
#include "kernels/textbook/device/run_length_decode_atomic.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 80,
    .title = "A place for every thread's output",
    .claim = "Where every thread writes as much as it needs to, a scan of the lengths gives each its place.",
    .source =
        R"(Lecture notes: Programação paralela em GPU: Redução e Scan com CUDA (Portuguese). Earlier:
           Blelloch 1990.)",
    .prediction =
        R"(Run-length decoding of r runs to n 4-byte elements. By scan: 2 L launches, where L = ceil(log r /
           log 1,024), 44 r + 4 n bytes, the output in order. By an atomic cursor, from which a block
           reserves the places of its 256 runs: one launch, 12 r + 4 n bytes, the output in any order. So by
           bytes the scan takes three times as long if runs are short, and no longer if they are long.)",
    .method =
        R"(n elements from n, n/8, n/64 and n/1,024 runs, with pseudo-random lengths between zero and twice
           the mean; and the same with half of the output in one long run, so that the cursor's blocks have
           unequal work. By scan the output is divided evenly, and each element searches for its run. CUB's
           scan and batched copy, and a copy of the output, run beside them. After one run on the GPU the
           runs out of order are counted.)",
    .fails_if = "Count: the scan leaves a run out of order.",
};

using harness::Runs;

struct Data : harness::EncodedRuns {
    explicit Data(const Runs& runs) : EncodedRuns(runs), decode(runs.count()) {
        harness::check(decode.status(), "room for the ends");
    }
    RunLengthDecode<int> decode;
};
using Shared = std::shared_ptr<Data>;
using Make = std::function<harness::Work(const Shared&, cudaStream_t)>;

harness::Case& add(harness::Suite& suite, const std::string& name, const Runs& runs,
                   const std::function<Shared()>& ask, const Make& make) {
    const bool cursor = name == "cursor";
    const auto prepare = [=](cudaStream_t stream) {
        const Shared data = ask();
        const auto lost = std::make_shared<long long>(0);
        const auto findings = [=]() -> harness::Findings {
            // The SIMT machine runs one block after the other: its order is not that of a GPU.
            if (cursor && !harness::on_gpu())
                return {{"varies_global_store_sectors", 1}, {"varies_global_bytes_written", 1}};
            return {{"out_of_order", double(*lost)}};
        };
        const auto find_error = [=]() -> std::string {
            if (name == "cub_device") return data->find_error(lost.get());
            const long long total = data->total.read_first();
            if (total != runs.n)
                return "total " + std::to_string(total) + ", expected " + std::to_string(runs.n);
            return data->find_error(lost.get());
        };
        return harness::Trial{make(data, stream), [=] { data->poison(); }, find_error, findings};
    };
    const char* const lengths = runs.one_long ? "one_long" : "even";
    const long long room = 28 * runs.count() + 4 * runs.n;
    return suite.own({"decode", name, {{"lengths", lengths}, {"mean", runs.mean}}}, runs.n,
                     {cursor ? room : 0, 12 * runs.count() + 4 * runs.n, prepare});
}

void predict(harness::Case& c, const harness::closed_form::DecodingCost& cost) {
    c.predict("launches", cost.launches)
        .predict("barriers", cost.barriers)
        .predict("atomic_requests", cost.atomics);
    if (cost.store_sectors > 0) c.predict("global_bytes_written", 32 * cost.store_sectors);
}

void add_runs(harness::Suite& suite, const Runs& runs) {
    const auto ask = harness::made_once<Data>([runs] { return std::make_shared<Data>(runs); });
    const auto by_scan = [n = runs.n](const Shared& d, cudaStream_t stream) {
        return [=] {
            d->decode(d->values.data(), d->lengths.data(), d->runs.count(), d->out.data(), {0, n},
                      d->total.data(), stream);
        };
    };
    const auto by_cursor = [n = runs.n](const Shared& d, cudaStream_t stream) {
        return [=] {
            run_length_decode_atomic(d->values.data(), d->lengths.data(), d->runs.count(), d->out.data(), n,
                                     d->total.data(), stream);
        };
    };
    predict(add(suite, "scan", runs, ask, by_scan),
            harness::closed_form::run_length_decode(runs.count(), runs.n));
    predict(add(suite, "cursor", runs, ask, by_cursor).on_single_core(),
            harness::closed_form::run_length_decode_by_cursor(runs.count()));
    if (!suite.timed()) return;
    add(suite, "cub_device", runs, ask, [](const Shared& d, cudaStream_t stream) {
        const auto work = harness::cub_device_run_length_decode<int>(
            {d->values.data(), d->out.data(), d->runs.count(), stream}, d->lengths.data());
        return [d, work] { work(); };
    });
}

void add_cases(harness::Suite& suite) {
    const int counted = suite.quick() ? 12 : 16, timed = suite.quick() ? 20 : 25;
    const long long n = 1LL << (suite.timed() ? timed : counted);
    for (const bool one_long : {false, true})
        for (const long long mean : {1, 8, 64, 1024}) add_runs(suite, {n, mean, one_long});
    if (suite.timed()) suite.copy<int>({"copy", "device_to_device"}, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
