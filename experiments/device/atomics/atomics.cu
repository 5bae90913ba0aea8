#include <memory>

#include "experiments/device/atomics/atomics_of.h"
#include "experiments/device/atomics/keys_of_bins.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/suite.h"
#include "experiments/support/type_names.h"
#include "kernels/textbook/device/histogram.cuh"
#include "kernels/textbook/device/reduce_aggregated.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 61,
    .title = "Fewer atomics",
    .claim =
        R"(Atomics on one word follow one another. So the more elements are added up before an atomic, in a
           thread, a warp or a block, the faster a sum by atomics is, and a histogram likewise: fewer atomics
           are always faster.)",
    .source =
        R"(Beyond the lecture notes: Luitjens, Faster parallel reductions on Kepler, 2014, and Adinetz,
           Optimized filtering with warp-aggregated atomics, 2014 (NVIDIA developer blog); for histograms:
           Hwu, Kirk and El Hajj, Programming Massively Parallel Processors, 4th ed., ch. 9, 2022.)",
    .prediction =
        R"(Blocks of 256 threads, 16 elements a thread: n atomics, n / 16 by threads, n / 512 by warps, n /
           4,096 by blocks. nvcc adds up the 32-bit integers of a warp by itself: n / 32 instead of n, and
           by threads as many as by warps. In the recorded compaction one word takes 1.2 atomics a
           nanosecond: 2²⁶ floats then take 56 ms, 3.5 ms by threads, 0.11 ms by warps and 14 µs by blocks,
           but reading them takes 65 to 95 µs. So blocks leave nothing to gain, a second launch costs more
           than it saves, and below 2¹⁴ elements the launches decide. A histogram gains where keys repeat: 32
           times by warps with all keys in one bin. Of keys spread over 65,536 bins hardly any two in a warp
           are equal, and the search for them is lost time.)",
    .method =
        R"(One sum of a vector, by length and type. How much one atomic adds is the only factor; all load the
           elements alike. Crossed with it: one word, or 64 words 128 bytes apart, which a second launch adds
           up: as many atomics, but fewer on a word. Of ints an atomic an element is also tried at an address
           of which nvcc cannot know that it is the same for all lanes. Without atomics the blocks' sums are
           added up by a second launch of one block. The last block, which takes an atomic a block on a
           counter, and CUB run beside them. Atomics need a memset first, which is timed too. Histograms, by
           bins and with keys spread evenly or all in one bin: an atomic an element; one for each key of a
           warp; or the block's own bins in shared memory, merged by an atomic a bin.)",
    .fails_if =
        R"(Count: the atomics differ from their closed forms. Speed: of a type and at a length, a sum on one
           word is not faster than the one with the next more atomics, down to none in two launches (by
           threads and by warps ints take as many, which are not compared); or, with some bins and keys, a
           histogram by warps or by blocks is not faster than by an atomic an element.)",
    .headline = true,
};

using harness::ITEMS;
using harness::THREADS;
using harness::TILE;

constexpr int COUNTERS = 64;

template <class Reduction, class T, class... Room>
harness::Prepare<T> by(Room... room) {
    return [=](harness::Vectors<T> v) -> harness::Work {
        const auto reduction = std::make_shared<Reduction>(room...);
        harness::check(reduction->status(), "room for counters or sums");
        return [v, reduction] { (*reduction)(v.in, v.out, v.n, v.stream); };
    };
}

/// sectors_of_sums: of 32 bytes, which are read at the end to add up counters or sums of tiles.
template <class T>
harness::Case& add(harness::Suite& suite, const std::string& name, const harness::Levels& counters,
                   long long n, long long sectors_of_sums, harness::Prepare<T> prepare) {
    const harness::Factors factors = {"sum", name, harness::type_factor<T>() + counters};
    const long long read = n * static_cast<long long>(sizeof(T)) + 32 * sectors_of_sums;
    return suite.reduce<T>(factors, n, n, prepare).predict("global_bytes_read", read);
}

template <Adds ADDS, class T>
void add_atomics(harness::Suite& suite, const std::string& name, long long n) {
    for (const int counters : {1, COUNTERS}) {
        const bool one = counters == 1;
        const auto prepare = by<AggregatedReduction<ADDS, T, ITEMS, THREADS>, T>(counters);
        add<T>(suite, name, {{"counters", counters}}, n, one ? 0 : COUNTERS, prepare)
            .predict("launches", one ? 1 : 2)
            .predict("atomic_lanes", harness::atomics_of<T>(ADDS, n));
    }
}

template <class T>
void add_sums_of_tiles(harness::Suite& suite, long long n) {
    const long long tiles = ceil_div(n, TILE), sectors = ceil_div(tiles * sizeof(T), 32);
    add<T>(suite, "two_launches", {}, n, sectors, by<TileSumsReduction<false, T, ITEMS, THREADS>, T>(n))
        .predict("launches", 2)
        .predict("atomic_lanes", 0);
    add<T>(suite, "last_block", {}, n, sectors, by<TileSumsReduction<true, T, ITEMS, THREADS>, T>(n))
        .predict("launches", 1)
        .predict("atomic_lanes", tiles);
}

template <class T>
void add_type(harness::Suite& suite, long long n) {
    if constexpr (std::is_same_v<T, int>) add_atomics<Adds::element_hidden, T>(suite, "element_hidden", n);
    add_atomics<Adds::element, T>(suite, "element", n);
    add_atomics<Adds::thread, T>(suite, "thread", n);
    add_atomics<Adds::warp, T>(suite, "warp", n);
    add_atomics<Adds::block, T>(suite, "block", n);
    add_sums_of_tiles<T>(suite, n);
    if (suite.timed())
        suite.reduce<T>({"sum", "cub_device", harness::type_factor<T>()}, n, n,
                        harness::cub_device_reduce<T>);
}

template <Counts COUNTS>
harness::Case& add_histogram(harness::Suite& suite, const std::string& name, int bins, bool one_bin,
                             const std::function<std::shared_ptr<harness::KeysOfBins>()>& ask, long long n) {
    const auto prepare = [=](cudaStream_t stream) {
        const auto data = ask();
        return data->trial(
            [=] { (void)histogram<COUNTS>(data->keys.data(), data->counts.data(), bins, n, stream); });
    };
    const harness::Levels levels = {{"bins", bins}, {"keys", one_bin ? "one_bin" : "even"}};
    return suite.own({"histogram", name, levels}, n, {4 * (n + bins), 4 * (n + bins), prepare})
        .predict("launches", 1)
        .predict("global_bytes_read", 4 * n);
}

void add_keys(harness::Suite& suite, int bits, int bins, bool one_bin) {
    const long long n = 1LL << bits;
    const auto ask = harness::made_once<harness::KeysOfBins>(
        [=] { return std::make_shared<harness::KeysOfBins>(bits, bins, one_bin); });
    auto& element = add_histogram<Counts::element>(suite, "element", bins, one_bin, ask, n);
    auto& warp = add_histogram<Counts::warp>(suite, "warp", bins, one_bin, ask, n);
    element.predict("atomic_lanes", n);
    if (!suite.timed()) warp.predict("atomic_lanes", harness::different_keys(bits, bins, one_bin, 32));
    if (bins > 12'288) return;  // more than the default 48 KiB
    auto& block = add_histogram<Counts::block>(suite, "block", bins, one_bin, ask, n);
    if (!suite.timed()) block.predict("atomic_lanes", n + harness::different_keys(bits, bins, one_bin, TILE));
}

void add_cases(harness::Suite& suite) {
    const int longest = suite.timed() ? (suite.quick() ? 18 : 26) : suite.quick() ? 10 : 16;
    for (int bits = 10; bits <= longest; bits += suite.timed() ? 4 : 3) {
        add_type<int>(suite, 1LL << bits);
        add_type<float>(suite, 1LL << bits);
        add_type<double>(suite, 1LL << bits);
        if (!suite.timed()) add_atomics<Adds::element, long long>(suite, "element", 1LL << bits);
    }
    const int keys = suite.timed() ? (suite.quick() ? 18 : 24) : suite.quick() ? 12 : 16;
    for (const int bins : {1, 32, 1024, 65'536})
        for (const bool one_bin : {false, true})
            if (bins > 1 || one_bin) add_keys(suite, keys, bins, one_bin);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
