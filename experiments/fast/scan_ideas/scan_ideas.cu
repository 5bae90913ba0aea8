#include <cuda_runtime.h>

#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "experiments/harness/suite.h"
#include "experiments/support/fast_scans.h"
#include "experiments/support/scans_beside_copy.h"
#include "experiments/support/type_names.h"
#include "kernels/fast/detail/scan_ring_variants.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/reduce_words.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 99,
    .title = "What each idea of the fast scan is worth",
    .claim =
        R"(Five ideas together bring a scan to the speed of a copy: enough stages for all loads in flight,
           two loads at a time, an odd number of words per thread, sums that wait for no other sum, and
           statuses that need no clearing. Each is worth its code: without it the scan is slower.)",
    .source =
        R"(Beyond the lecture notes: padding in another form (odd words); Merrill and Garland 2016 (the chain
           of prefixes that replaces the sums).)",
    .prediction =
        R"(Ints, as fractions of a copy's throughput: with 7, 6, 5, 4 and 3 stages 0.97, 0.97, 0.93, 0.74 and
           0.64. With an even number of words, half the speed: a warp's 32 16-byte words lie w words apart,
           which takes 4 gcd(w, 8) wavefronts instead of 4. With one load at a time, and with a chain, less
           by at least 2%. Clearing is one more launch, 2 µs per call: nothing for long vectors, 5% for 2^24
           ints, a third for short ones.)",
    .method =
        R"(The same scan with one idea removed at a time and all else held fixed: unchanged; with 6, 5, 4, 3
           stages; with 1 and 4 loads; with one more word per thread, which leaves room for one stage fewer;
           with decoupled look-back from tile to tile; with a memset of the statuses before every call. On
           2^28 ints and bytes, 2^27 8-byte affine maps and 2^24 ints, beside CUB and a copy; on 2^16 ints,
           where no ring is used, the memset only. Every element is compared. Counted: the same scans of 2^18
           and 2^16 ints, and the sums of each thread's words in shared memory.)",
    .fails_if =
        R"(Count: a count differs from its closed form. Speed: the scan without an idea takes less than 2%
           more time, with every vector. Removed are: pipeline stages (4 are left); one of the two loads in
           flight; the odd number of words per thread (compared with one stage fewer, which makes room for
           the additional word); aggregates, in favour of a serial prefix chain; versioned statuses, in
           favour of a memset.)",
};

// --- Counted: the wavefronts in which threads read their words of a tile.

template <int WORDS>
void add_words(harness::Suite& suite, long long tiles) {
    using Op = Sum<int>;
    constexpr int THREADS = 256, ITEMS_PER_THREAD = 4 * WORDS;
    const long long n = tiles * THREADS * ITEMS_PER_THREAD, requests = n / (32 * 4);
    const auto prepare = [](harness::Vectors<int> v) -> harness::Work {
        const auto blocks = static_cast<unsigned>(v.n / (THREADS * ITEMS_PER_THREAD));
        return [=] {
            launch(reduce_words<WORDS, THREADS, int, Op>, blocks, THREADS, v.stream, v.in, v.out, Op{});
        };
    };
    suite.reduce<int>({"reduce", "words", {{"words", WORDS}}}, n, ITEMS_PER_THREAD, prepare)
        .predict("launches", 1)
        .predict("ops", n - n / ITEMS_PER_THREAD)
        .predict("shared_load_requests", requests)
        .predict("shared_load_wavefronts", requests * 4 * std::gcd(WORDS, 8))
        .predict("shared_store_wavefronts", requests * 4);
}

// --- Timed, and counted for ints: the scan, with one idea removed at a time.

template <class T, class Op>
struct Variants {
    harness::Suite& suite;
    long long n;

    template <class Policy>
    void add_ring(const std::string& change, bool cleared = false) {
        harness::add_ring<Policy, T, Op>(suite, {{"change", change}}, n, cleared);
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
    /// Short vectors, whose tiles fit in registers: only one of the ideas applies.
    void add_one_wave() {
        harness::add_one_wave<T, Op>(suite, {{"change", "none"}}, n, false);
        harness::add_one_wave<T, Op>(suite, {{"change", "cleared"}}, n, true);
        add_references();
    }
    void add_references() {
        if (!suite.timed()) return;
        suite.scan<T, Op>({"scan", "cub_device", harness::type_and_operator<T, Op>()}, n, {n},
                          harness::scan_by_cub<T, Op>);
        suite.copy<T>({"copy", "device_to_device", harness::type_factor<T>()}, n);
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

void add_cases(harness::Suite& suite) {
    if (suite.timed()) return add_timed_cases(suite);
    const long long tiles = suite.quick() ? 1 : 8;
    add_words<6>(suite, tiles);
    add_words<7>(suite, tiles);
    add_words<8>(suite, tiles);
    Variants<int, Sum<int>>{suite, 1LL << (suite.quick() ? 16 : 18)}.add_rings();
    Variants<int, Sum<int>>{suite, 1LL << (suite.quick() ? 12 : 16)}.add_one_wave();
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
