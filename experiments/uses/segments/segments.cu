#include <memory>

#include "experiments/harness/cuda_check.h"
#include "experiments/harness/own_vectors.h"
#include "experiments/harness/suite.h"
#include "kernels/fast/all.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 96,
    .title = "Scans of segments",
    .claim =
        R"(A scan that begins anew at every segment is a scan, with another operator: it costs the bytes that
           say where segments begin, however the vector is cut.)",
    .source =
        R"(Beyond the lecture notes: Schwartz, Ultracomputers, 1980; Blelloch, Prefix sums and their
           applications, 1990, section 1.5; on GPUs: Sengupta, Harris, Zhang and Owens, Scan primitives for
           GPU computing, 2007.)",
    .prediction =
        R"(Pairs of a flag and a sum, with an associative operator, are scanned as numbers are. n ints and as
           many keys: 12 n bytes instead of 8 n, so 1.5 times the time. With offsets, 4 bytes a segment: one
           eighth more time if segments have 4 elements, nothing if they are long.)",
    .method =
        R"(One kernel, fast/detail/single_pass, in tiles of 5,120 ints: the whole vector; by key; by offsets.
           Segments of one length, from 4 elements to 2¹⁸. Nothing else varies.)",
    .fails_if =
        R"(Count: a scan reads other bytes than its elements, its keys, and one sector a tile for the key
           before it. Speed: by key or by offsets, with segments of some length, it takes more than 10% longer
           than its bytes say, relative to the scan of the whole vector.)",
};

using Policy = PassPolicy<256, 5, 80, 80, 0>;  // published sums side by side
constexpr int TILE = 5120;                     // of each: one column, or two
static_assert(items_per_thread<sizeof(int), Policy::BYTES>() * Policy::THREADS == TILE &&
              items_per_thread<sizeof(int), Policy::BYTES_OF_SEVERAL>() * Policy::THREADS == TILE);

/// scan(memory, vectors) queues a scan.
template <class Scan>
harness::Prepare<int> in_workspace(Scan scan) {
    return [=](harness::Vectors<int> v) -> harness::Work {
        const auto workspace = std::make_shared<Workspace>(bytes_needed<int>(v.n), v.stream);
        harness::check(workspace->status(), "room for a scan");
        return [=] { harness::check(scan(*workspace, v), "scan"); };
    };
}

void add_whole(harness::Suite& suite, long long n) {
    const scan_detail::Scan<Form::inclusive, Policy> scan;
    const auto whole = [=](const Memory& memory, harness::Vectors<int> v) {
        return scan(memory, v.in, v.out, v.n, Sum<int>{}, v.stream);
    };
    suite.scan<int>({"scan", "whole"}, n, {n}, in_workspace(whole))
        .on_single_core()
        .predict("launches", 1)
        .predict("global_bytes_read", 4 * n);
}

void add_by_key(harness::Suite& suite, long long n, long long length) {
    const by_key_detail::Scan<Form::inclusive, Policy> scan;
    const auto prepare = [=](harness::Vectors<int> v) {
        const auto keys = std::make_shared<harness::OwnVector<int>>(n);
        keys->fill([=](long long i) { return static_cast<int>(i / length); });
        return in_workspace([=](const Memory& memory, harness::Vectors<int> w) {
            return scan(memory, keys->data(), w.in, w.out, w.n, Sum<int>{}, w.stream);
        })(v);
    };
    suite.scan<int>({"scan", "keys", {{"segment", length}}}, n, {length}, prepare)
        .on_single_core()
        .predict("launches", 1)
        .predict("global_bytes_read", 8 * n + 32 * (n / TILE - 1));
}

void add_by_offset(harness::Suite& suite, long long n, long long length) {
    const segmented_detail::Scan<Form::inclusive, Policy> scan;
    const long long segments = (n + length - 1) / length;
    const auto prepare = [=](harness::Vectors<int> v) {
        const auto offsets = std::make_shared<harness::OwnVector<int>>(segments + 1);
        offsets->fill([=](long long s) { return static_cast<int>(s == segments ? n : s * length); });
        return in_workspace([=](const Memory& memory, harness::Vectors<int> w) {
            return scan(memory, w.in, w.out, w.n, offsets->data(), segments, Sum<int>{}, w.stream);
        })(v);
    };
    suite.scan<int>({"scan", "offsets", {{"segment", length}}}, n, {length}, prepare)
        .on_single_core()
        .predict("launches", 1);
}

void add_cases(harness::Suite& suite) {
    const long long tiles = suite.timed() ? (suite.quick() ? 205 : 13107) : suite.quick() ? 2 : 16;
    const long long n = tiles * TILE;
    add_whole(suite, n);
    for (long long length = 4; length <= 1 << 18; length *= 16) {
        add_by_key(suite, n, length);
        add_by_offset(suite, n, length);
    }
    if (suite.timed()) suite.copy<int>({"copy", "device_to_device"}, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
