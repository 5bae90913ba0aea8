#include <cuda_runtime.h>

#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "experiments/harness/suite.h"
#include "experiments/support/type_names.h"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/reduce_words.cuh"
#ifndef SIMT_MACHINE
#include "experiments/support/scans_beside_copy.h"
#include "kernels/fast/detail/scan_ring_variants.cuh"
#endif

namespace {

const harness::Claim CLAIM = {
    "scan_ideas",
    99,
    "What each idea of the fast scan is worth",
    // claim
    R"(A scan is at the speed of a copy by five ideas together: stages enough for all that is under way, two
       loads at a time, an odd number of words a thread, sums that wait for no other sum, and statuses that
       nobody needs to clear. Each is worth its code: without it the scan is slower.)",
    // source
    R"(Beyond the lecture notes: padding in new clothes (odd words); Merrill and Garland 2016 (the chain of
       prefixes that is put in the place of the sums).)",
    // prediction
    R"(Of a copy's throughput, ints: with 7, 6, 5, 4 and 3 stages 0.97, 0.97, 0.93, 0.74 and 0.64. With an even
       number of words half the speed: a warp's 32 words of 16 bytes lie w words apart, which takes 4 gcd(w, 8)
       wavefronts in place of 4. With one load at a time, and with a chain, less by 2% at least. Clearing is
       one launch more, 2 us a call: nothing for long vectors, 5% for 2^24 ints, a third for short ones.)",
    // method
    R"(The very scan with one idea taken out at a time and all else held: as it is; with 6, 5, 4, 3 stages;
       with 1 and 4 loads; with a word more a thread, which leaves room for a stage less; with decoupled
       look-back from tile to tile; with a memset of the statuses before every call. Of 2^28 ints and bytes,
       2^27 affine maps of 8 bytes, 2^24 ints, beside CUB and a copy; of 2^16 ints, where no ring is used, the
       memset only. Every element is compared. Counted: a thread's words added up in shared memory.)",
    // fails_if
    R"(An idea whose removal costs less than 2% of time with every vector is refuted. The claim fails if most
       are.)",
};

// --- Counted: the wavefronts by which threads read their words of a tile.

template <int WORDS>
void add_shares(harness::Suite& suite, long long tiles) {
    using Op = harness::Counted<Sum<int>>;
    constexpr int THREADS = 256, ITEMS = 4 * WORDS;
    const long long n = tiles * THREADS * ITEMS, requests = n / (32 * 4);
    const auto prepare = [](harness::Vectors<int> v) -> harness::Work {
        const auto blocks = static_cast<unsigned>(v.n / (THREADS * ITEMS));
        return [=] {
            launch(reduce_words<WORDS, THREADS, int, Op>, blocks, THREADS, v.stream, v.in, v.out, Op{});
        };
    };
    suite.reduce<int>("reduce/words/words:" + std::to_string(WORDS), n, ITEMS, prepare)
        .predict("launches", 1)
        .predict("ops", n - n / ITEMS)
        .predict("shared_load_requests", requests)
        .predict("shared_load_wavefronts", requests * 4 * std::gcd(WORDS, 8))
        .predict("shared_store_wavefronts", requests * 4);
}

// --- Timed: the scan, with one idea taken out at a time.

#ifndef SIMT_MACHINE
/// scan(workspace, vectors): a ScanResult. cleared: the workspace is, before every call.
template <class T, class Scan>
harness::Prepare<T> by(Scan scan, bool cleared) {
    return [=](harness::Vectors<T> v) -> harness::Work {
        const auto workspace = std::make_shared<Workspace>(scan_bytes<T>(v.n));
        harness::check(workspace->status(), "room for a scan");
        return [=] {
            if (cleared) harness::expect(clear(*workspace, v.stream));
            harness::expect(scan(*workspace, v));
        };
    };
}

template <class T, class Op>
struct Variants {
    harness::Suite& suite;
    long long n;

    void add(const std::string& algorithm, const std::string& change, harness::Prepare<T> prepare) {
        const std::string name = "scan/" + algorithm + harness::type_and_operator<T, Op>() + change;
        suite.scan<T, Op>(name, n, {n}, std::move(prepare));
    }
    template <class Policy>
    void add_ring(const std::string& change, bool cleared = false) {
        const auto scan = [](const Workspace& workspace, harness::Vectors<T> v) {
            const ScanProblem<T> problem = {v.in, v.out, v.n, {{}, false}};
            return scan_by_ring<Policy>(workspace, problem, Op{}, v.stream);
        };
        add("ring", "/change:" + change, by<T>(scan, cleared));
    }
    void add_references() {
        add("cub_device", "", harness::scan_by_cub<T, Op>);
        suite.copy<T>("copy/device_to_device" + harness::type_factor<T>(), n);
    }
    void add_rings() {
        add_ring<RingPolicy<T>>("none");
        add_ring<WithStages<T, 6>>("stages_6");
        add_ring<WithStages<T, 5>>("stages_5");
        add_ring<WithStages<T, 4>>("stages_4");
        add_ring<WithStages<T, 3>>("stages_3");
        add_ring<WithLoads<T, 1>>("loads_1");
        add_ring<WithLoads<T, 4>>("loads_4");
        add_ring<WithEvenWords<T>>("even_words");
        add_ring<WithChain<T>>("chain");
        add_ring<RingPolicy<T>>("cleared", true);
        add_references();
    }
    /// Short vectors, whose tiles lie in registers: of the ideas only one is left.
    void add_one_wave() {
        const auto scan = [](const Workspace& workspace, harness::Vectors<T> v) {
            return inclusive_scan(workspace, v.in, v.out, v.n, Op{}, v.stream);
        };
        add("one_wave", "/change:none", by<T>(scan, false));
        add("one_wave", "/change:cleared", by<T>(scan, true));
        add_references();
    }
};

void add_timed_cases(harness::Suite& suite) {
    const int less = suite.quick() ? 8 : 0;
    Variants<int, Sum<int>>{suite, 1LL << (28 - less)}.add_rings();
    Variants<std::int8_t, Sum<std::int8_t>>{suite, 1LL << (28 - less)}.add_rings();
    Variants<Affine<float>, ComposeAffine<float>>{suite, 1LL << (27 - less)}.add_rings();
    Variants<int, Sum<int>>{suite, 1LL << (24 - less)}.add_rings();
    Variants<int, Sum<int>>{suite, 1LL << (16 - less)}.add_one_wave();
}
#else
void add_timed_cases(harness::Suite&) {}
#endif

void add_cases(harness::Suite& suite) {
    if (suite.timed()) return add_timed_cases(suite);
    const long long tiles = suite.quick() ? 1 : 8;
    add_shares<6>(suite, tiles);
    add_shares<7>(suite, tiles);
    add_shares<8>(suite, tiles);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
