#include <cstdint>

#include "experiments/harness/cub.h"
#include "experiments/harness/device_scans.h"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 70,
    .title = "A single pass at the speed of a copy",
    .claim =
        R"(A scan must read every element once and write one element for each. Decoupled look-back does no
           more than that, so a scan can run at the speed of a copy.)",
    .source = "Beyond the lecture notes: Merrill and Garland 2016.",
    .prediction =
        R"(Look-back moves 2 n elements and two statuses per tile, in one launch; reduce-then-scan 3 n,
           scan-then-add 4 n. If only bytes count, look-back takes as long as the copy, the others 1.5 and 2
           times as long.)",
    .method =
        R"(The same vector scanned in each way, by length. Look-back in tiles of 7 to 23 elements per thread
           and 128 to 512 threads, crossed; and with elements of 1 to 8 bytes, in its default shape and in a
           larger tile. CUB's device-wide scan, which uses look-back too, and a copy run beside them. The
           slowest way is scan-then-add with its block sums on the host.)",
    .fails_if =
        R"(Count: look-back moves over 5% more than 2 n elements. Speed: with a type of element, at its
           longest vector, the fastest look-back, ours or CUB's, reaches less than 90% of the copy's
           throughput.)",
};

using harness::device_scan;

template <class T>
const char* const TYPE = "";
template <>
const char* const TYPE<std::int8_t> = "int8";
template <>
const char* const TYPE<std::int16_t> = "int16";
template <>
const char* const TYPE<std::int32_t> = "int32";
template <>
const char* const TYPE<long long> = "int64";
template <>
const char* const TYPE<float> = "float";
template <>
const char* const TYPE<double> = "double";

template <class T>
harness::Levels type() {
    return {{"type", TYPE<T>}};
}

template <class T, int ITEMS_PER_THREAD = look_back_items<T>(), int THREADS = 256>
void add_look_back(harness::Suite& suite, long long n) {
    const harness::Levels shape = {{"items", ITEMS_PER_THREAD}, {"threads", THREADS}};
    auto& c = suite.scan<T>({"scan", "look_back", type<T>() + shape}, n, {n},
                            device_scan<harness::LookBack<T, ITEMS_PER_THREAD, THREADS>, T>);
    predict_look_back(c, ITEMS_PER_THREAD, THREADS, sizeof(T));
}

/// All nine shapes.
void add_shapes(harness::Suite& suite, long long n) {
    add_look_back<float, 7, 128>(suite, n);
    add_look_back<float, 7, 256>(suite, n);
    add_look_back<float, 7, 512>(suite, n);
    add_look_back<float, 15, 128>(suite, n);
    add_look_back<float, 15, 256>(suite, n);
    add_look_back<float, 15, 512>(suite, n);
    add_look_back<float, 23, 128>(suite, n);
    add_look_back<float, 23, 256>(suite, n);
    add_look_back<float, 23, 512>(suite, n);
}

void add_more_passes(harness::Suite& suite, long long n) {
    predict_three_phase(suite.scan<float>({"scan", "three_phase", {{"type", "float"}, {"spine", "device"}}},
                                          n, {n}, device_scan<harness::ThreePhase<float>, float>));
    predict_two_reads(suite.scan<float>({"scan", "reduce_then_scan", {{"type", "float"}}}, n, {n},
                                        device_scan<harness::TwoReads<float>, float>));
}

void add_host_spine(harness::Suite& suite, long long n) {
    predict_three_phase(suite.scan<float>({"scan", "three_phase", {{"type", "float"}, {"spine", "host"}}}, n,
                                          {n}, device_scan<harness::ThreePhase<float, Spine::host>, float>),
                        true);
}

template <class T>
void add_references(harness::Suite& suite, long long n) {
    suite.scan<T>({"scan", "cub_device", type<T>()}, n, {n}, harness::cub_device_scan<T>);
    suite.copy<T>({"copy", "device_to_device", type<T>()}, n);
}

/// The default shape and a larger one, which still fits in the shared memory that a block may have without
/// opting in.
template <class T>
void add_type(harness::Suite& suite, long long n) {
    add_look_back<T>(suite, n);
    add_look_back<T, (sizeof(T) <= 2 ? 31 : sizeof(T) == 4 ? 23 : 11), 512>(suite, n);
    add_references<T>(suite, n);
}

void add_timed_cases(harness::Suite& suite) {
    const long long longest = suite.quick() ? 1 << 16 : 1 << 28;
    for (long long n = 1 << 10; n <= longest; n *= 4) {
        add_more_passes(suite, n);
        if (n < longest) add_look_back<float>(suite, n);
        add_references<float>(suite, n);
    }
    add_shapes(suite, longest);
    add_host_spine(suite, longest);
    add_type<std::int8_t>(suite, longest / 2);
    add_type<std::int16_t>(suite, longest / 2);
    add_type<std::int32_t>(suite, longest / 2);
    add_type<long long>(suite, longest / 2);
    add_type<double>(suite, longest / 2);
}

void add_cases(harness::Suite& suite) {
    if (suite.timed()) {
        add_timed_cases(suite);
        return;
    }
    const long long n = suite.long_vector();
    add_shapes(suite, n);
    add_look_back<std::int32_t>(suite, n);
    add_look_back<double>(suite, n);
    add_more_passes(suite, n);
    add_host_spine(suite, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
