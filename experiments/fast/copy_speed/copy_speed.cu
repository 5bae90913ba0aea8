#include "experiments/fast/copy_speed/misaligned.h"
#include "experiments/harness/device_scans.h"
#include "experiments/support/fast_scans.h"
#include "experiments/support/scans_beside_copy.h"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 98,
    .title = "A scan at the speed of a copy",
    .claim =
        R"(What keeps a single pass from the speed of a copy is not the scan but how its blocks wait for one
           another and how their loads are kept in flight. A scan can run at the speed of a copy.)",
    .source =
        "Beyond the lecture notes: after Merrill and Garland 2016, and CUB's look-ahead scan for newer GPUs.",
    .prediction =
        R"(A scan moves as many bytes as a copy. With enough tiles in flight to each multiprocessor at all
           times, no chain of prefixes between blocks, and nothing to initialise, it reaches 0.96 to 0.98 of
           a copy's throughput for long vectors, and takes the time of one launch for short ones. The targets
           are stated in advance, one per row.)",
    .method =
        R"(Inclusive scans by element type and operator, from 2^8 elements to as many as memory holds beside
           those of the other types: 2^32 of up to 4 bytes, 2^30 of int64 and double, 2^28 pairs. Ours, the
           toolkit's CUB, the newest CUB, and a copy, in one process; cold and warm; as calls on a stream,
           queued ahead and, for ints, one call at a time, and as replays of a graph. Ints at addresses that
           are no multiples of 16 bytes: input and output offset alike, and differently. Every element is
           compared. Counted: the ring of long vectors, on 2^18 ints; one wave, of shorter ones, on 2^16; and
           the scan for GPUs without bulk copies.)",
    .fails_if =
        R"(Count: a count differs from its closed form. Speed: a scan misses its target for a share of the
           copy's throughput; the targets were set before anything was measured, and the table lists them.)",
};

constexpr int REPETITIONS = 15;

/// The longest vector, as a power of two. The vectors of all types are in memory at the same time.
template <class T>
constexpr int longest() {
    return sizeof(T) <= 4 ? 32 : std::is_arithmetic_v<T> ? 30 : 28;
}

template <class T, class Op = Sum<T>>
void add_lengths(harness::Suite& suite) {
    for (int log = 8; log <= (suite.quick() ? 20 : longest<T>()); log += 2)
        harness::add_scans_beside_copy<T, Op>(suite, 1LL << log, REPETITIONS);
}

/// For ints, every power of two. Short vectors take a few microseconds, of which the clock resolves few
/// digits: hence more repetitions.
void add_lengths_of_ints(harness::Suite& suite) {
    using harness::Queued, harness::Submitted;
    constexpr int SHORT = 22, OF_SHORT = 31;
    for (int log = 8; log <= (suite.quick() ? 20 : longest<int>()); ++log)
        harness::add_scans_beside_copy<int, Sum<int>>(suite, 1LL << log,
                                                      log <= SHORT ? OF_SHORT : REPETITIONS);
    for (int log = 8; log <= (suite.quick() ? 20 : SHORT); log += 2)
        harness::add_scans_beside_copy<int, Sum<int>>(suite, 1LL << log, OF_SHORT, Submitted::graph);
    for (int log = 8; log <= (suite.quick() ? 20 : SHORT); log += 2)
        harness::add_scans_beside_copy<int, Sum<int>>(suite, 1LL << log, OF_SHORT, Submitted::stream,
                                                      Queued::live);
}

const harness::Levels ON_STREAM = harness::submitted_as(harness::Submitted::stream);

/// CUB's scan that gives bitwise identical floats in every run, as ours does.
void add_run_to_run(harness::Suite& suite, long long n) {
    if (!harness::has_newest_cub()) return;
    const harness::Levels levels = harness::type_and_operator<float, Sum<float>>() + ON_STREAM;
    suite.scan<float>({"scan", "cub_newest_run_to_run", levels}, n, {n},
                      harness::newest::cub_device_scan_run_to_run<float>);
}

/// The vectors begin one element past a 16-byte boundary: both, or the input only.
void add_misaligned(harness::Suite& suite, long long n) {
    const harness::Levels levels = harness::type_and_operator<int, Sum<int>>();
    for (const bool alike : {true, false}) {
        const harness::Levels off = {{"off", alike ? "alike" : "apart"}};
        suite.own({"scan", "ours", levels + off + ON_STREAM}, n,
                  harness::misaligned_scan<int>(n, 1, alike ? 1 : 0, harness::scan_by_ours<int, Sum<int>>));
    }
    suite.copy<int>({"copy", "device_to_device", harness::type_factor<int>() + ON_STREAM}, n);
}

void add_timed_cases(harness::Suite& suite) {
    add_run_to_run(suite, 1LL << (suite.quick() ? 20 : 28));
    add_misaligned(suite, (1LL << (suite.quick() ? 20 : 27)) + 12345);
    add_lengths_of_ints(suite);
    add_lengths<std::int8_t>(suite);
    add_lengths<std::int16_t>(suite);
    add_lengths<long long>(suite);
    add_lengths<float>(suite);
    add_lengths<double>(suite);
    add_lengths<Affine<float>, ComposeAffine<float>>(suite);
    add_lengths<Affine<double>, ComposeAffine<double>>(suite);
}

void add_cases(harness::Suite& suite) {
    if (suite.timed()) return add_timed_cases(suite);
    const long long n = suite.long_vector();
    auto& c = suite.scan<float>({"scan", "look_back", {{"type", "float"}}}, n, {n},
                                harness::device_scan<harness::LookBack<float>, float>);
    harness::predict_look_back(c, 15, 256);
    harness::add_ring<RingPolicy<int>, int, Sum<int>>(suite, {}, suite.quick() ? 1 << 16 : 1 << 18);
    harness::add_one_wave<int, Sum<int>>(suite, {}, suite.quick() ? 1 << 12 : 1 << 16);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
