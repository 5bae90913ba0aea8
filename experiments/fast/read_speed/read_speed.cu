#include <functional>
#include <memory>
#include <string>

#include "experiments/harness/cub.h"
#include "experiments/harness/suite.h"
#include "experiments/support/selection.h"
#include "kernels/fast/reduce.cuh"
#include "kernels/predicates.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 97,
    .title = "A reduction at the speed of a read",
    .claim =
        R"(A reduction needs only one launch that reads the vector once, and a compaction also writes what it
           selects. So a reduction can run at the speed of a read, and a compaction at that of moving as many
           bytes.)",
    .source =
        R"(Beyond the lecture notes: after Harris 2007 (algorithm cascading), Volkov 2010 (bytes in flight),
           and Merrill and Garland 2016, section 5 (compaction in one pass).)",
    .prediction =
        R"(With 16 bytes in flight per thread and row, sums that cross the cache once, and no second launch:
           0.97 to 0.99 of a read's throughput for long vectors, and for short ones the time of one launch.
           The targets are stated in advance, one per row.)",
    .method =
        R"(Ints. Reductions by length, queued ahead and one call at a time: ours, the toolkit's CUB, the
           newest CUB, and a kernel that only reads. Compactions of 2^28 different numbers, shuffled, of
           which half are selected: ours, both CUBs, and a copy of three quarters of the vector, which moves
           as many bytes. Cold and warm.)",
    .fails_if =
        R"(Count: a count differs from its closed form. Speed: the reduction of the longest vector reaches
           less than 97% of the read's throughput, or the compaction less than 97% of that of a copy of as
           many bytes.)",
};

constexpr int REPETITIONS = 31;  // short vectors take a few microseconds
const harness::Levels OF_INTS = {{"type", "int32"}};

/// live: one call at a time, from an idle host.
harness::Levels sums(harness::Queued when) {
    const char* const submit = when == harness::Queued::live ? "live" : "stream";
    return OF_INTS + harness::Levels{{"operator", "sum"}, {"submit", submit}};
}

void add_our_reduction(harness::Suite& suite, long long n, harness::Queued when) {
    using Op = Sum<int>;
    suite
        .reduce<int>({"reduce", "ours", sums(when)}, n, n,
                     [](harness::Vectors<int> v) {
                         const auto workspace = std::make_shared<Workspace>(reduce_bytes<int>(), v.stream);
                         harness::check(workspace->status(), "room for a reduction");
                         return [=] {
                             harness::check(reduce(*workspace, v.in, v.out, v.n, Op{}, v.stream),
                                            "reduction");
                         };
                     })
        .repeat(REPETITIONS)
        .queue(when)
        .on_single_core()
        .predict("launches", 1)
        .predict("global_bytes_read", 4 * n);
}

void add_other_reductions(harness::Suite& suite, long long n, harness::Queued when) {
    const auto add = [&](const std::string& algorithm, harness::Prepare<int> prepare) {
        suite.reduce<int>({"reduce", algorithm, sums(when)}, n, n, prepare).repeat(REPETITIONS).queue(when);
    };
    add("cub_device", harness::cub_device_reduce<int>);
    if (harness::has_newest_cub()) add("cub_newest", harness::newest::cub_device_reduce<int>);
    if (when == harness::Queued::ahead) suite.read<int>({"read", "ceiling", OF_INTS}, n).repeat(REPETITIONS);
}

using Half = harness::Selection<int>;
using Shared = std::shared_ptr<Half>;
using Make = std::function<harness::Work(const Shared&, cudaStream_t)>;

struct Compactions {
    harness::Suite& suite;
    long long n;
    std::function<Shared()> vectors;

    Compactions(harness::Suite& suite_, int bits)
        : suite(suite_), n(1LL << bits), vectors(harness::half_of_shuffled<int>(bits)) {}

    /// room: whether this case accounts for the memory of the vectors, which all cases share.
    harness::Case& add(const std::string& algorithm, bool room, const Make& make) {
        const auto prepare = [make, ask = vectors](cudaStream_t stream) {
            const Shared half = ask();
            const harness::Work work = make(half, stream);
            return harness::Trial{[half, work] { work(); }, [half] { half->poison(); },
                                  [half] { return half->find_error(); }};
        };
        return suite.own({"compact", algorithm, OF_INTS}, n, {room ? 8 * n : 0, 6 * n, prepare});
    }

    void add_ours() {
        add("ours", true,
            [](const Shared& v, cudaStream_t stream) {
                const auto workspace = std::make_shared<Workspace>(select_bytes<int>(v->n), stream);
                harness::check(workspace->status(), "room for a compaction");
                return [=, half = v.get()] {
                    const auto result = select_if(*workspace, half->in.data(), half->out.data(),
                                                  half->selected.data(), half->n, half->keep, stream);
                    harness::check(result, "compaction");
                };
            })
            .on_single_core()
            .predict("launches", 1)
            .predict("bulk_bytes_loaded", 4 * n);
    }

    void add_others() {
        const auto add_cub = [&](const std::string& algorithm, auto select) {
            add(algorithm, false, [select](const Shared& v, cudaStream_t stream) {
                const harness::Vectors<int> vectors = {v->in.data(), v->out.data(), v->n, stream};
                return select(vectors, v->keep, v->selected.data());
            });
        };
        add_cub("cub_device", harness::cub_device_select<int>);
        if (harness::has_newest_cub()) add_cub("cub_newest", harness::newest::cub_device_select<int>);
    }
};

void add_cases(harness::Suite& suite) {
    const int log = suite.timed() ? (suite.quick() ? 20 : 28) : (suite.quick() ? 12 : 16);
    for (int each = suite.timed() ? 8 : log; each <= log; ++each) {
        for (const auto when : {harness::Queued::ahead, harness::Queued::live}) {
            if (when == harness::Queued::live && !suite.timed()) continue;
            add_our_reduction(suite, 1LL << each, when);
            if (suite.timed()) add_other_reductions(suite, 1LL << each, when);
        }
    }
    if (!suite.timed() && !suite.quick())
        add_our_reduction(suite, 1 << 12, harness::Queued::ahead);  // one block
    Compactions compactions(suite, log);
    compactions.add_ours();
    if (!suite.timed()) return;
    compactions.add_others();
    suite.copy<int>({"copy", "device_to_device", OF_INTS}, compactions.n / 4 * 3);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
