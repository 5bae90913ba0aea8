#include "experiments/closed_forms/device_scans.h"
#include "experiments/device/block_sums/host_spine.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/suite.h"
#include "kernels/operators.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"

#include <memory>

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 40,
    .title = "Who scans the block sums",
    .claim =
        R"(A long vector is scanned by blocks; the block sums are scanned too and added to the following
           blocks. They are so few that the host may scan them.)",
    .source =
        R"(Lecture notes: Padrão Scan em CUDA (Portuguese) scans them on the host; Algorithmes fondamentaux:
           opération scan (French) and Programação paralela em GPU: Redução e Scan com CUDA (Portuguese) on
           the device. Earlier: Harris, Sengupta and Owens, GPU Gems 3, ch. 39, 2007. Beyond: Merrill and
           Garland 2016, a single pass.)",
    .prediction =
        R"(Tiles of 1,024. Host: 2 launches, 2 copies, 4 bytes per tile down and as many up. Device: no copy
           and 2 L - 1 launches, where L = ceil(log n / log 1,024) levels. If the claim is right, the detour
           through the host costs almost nothing.)",
    .method =
        R"(One three-phase scan; only the spine, the scan of the block sums, varies: on the host, or on the
           device level by level, at any length. Crossed with n and with where the vector lies before and
           after (GPU, pinned or pageable host memory), because the sources copy the whole vector to the GPU
           and back. Times are taken between two events on the GPU's clock and include the host's work. CUB's
           device-wide scan and a copy run beside it, and so do the three parts of a host spine: the copy of
           the block sums to the host, their scan, and the copy back.)",
    .fails_if =
        R"(Count: launches, copies or bytes differ from their closed forms. Speed: with the vector on the
           GPU, at a length of more than one block, the scan with its spine on the host takes over 10% more
           time than with its spine on the device.)",
};

using Op = Sum<float>;
using Scan = ThreePhaseScan<float, Op>;
constexpr int TILE = 1024;  // of the scan

harness::Prepare<float> three_phase(Spine spine) {
    return [spine](harness::Vectors<float> v) {
        auto scan = std::make_shared<Scan>(spine, v.n);
        harness::check(scan->status(), "block sums");
        return [v, scan] { (*scan)(v.in, v.out, v.n, Op{}, v.stream); };
    };
}

void predict(harness::Case& c, Spine spine) {
    const auto cost = harness::closed_form::three_phase(c.n, spine == Spine::host);
    c.predict("ops", cost.ops)
        .predict("launches", cost.launches)
        .predict("copies", cost.copies)
        .predict("bytes_to_host", cost.bytes_each_way)
        .predict("bytes_to_device", cost.bytes_each_way)
        .predict("global_bytes_read", 32 * cost.load_sectors)
        .predict("global_bytes_written", 32 * cost.store_sectors);
}

void add_three_phase(harness::Suite& suite, harness::Memory memory, const std::string& vector, long long n) {
    for (const Spine spine : {Spine::host, Spine::device}) {
        const std::string where = spine == Spine::host ? "host" : "device";
        auto& c = suite.scan<float>({"scan", "three_phase", {{"spine", where}, {"vector", vector}}}, n, {n},
                                    three_phase(spine));
        predict(c.from(memory), spine);
        // Work that goes through the host varies at small n; copies over the bus take hundreds of
        // milliseconds at large n.
        if (n <= 1 << 20) c.repeat(41);
        if (memory != harness::Memory::device && n >= 1 << 24) c.repeat(5);
    }
}

void add_timed_cases(harness::Suite& suite, long long n) {
    constexpr long long ON_HOST = 1 << 28;  // the longest vector kept in host memory
    suite.scan<float>({"scan", "cub_device", {{"vector", "device"}}}, n, {n},
                      harness::cub_device_scan<float>);
    suite.copy<float>({"copy", "device_to_device", {{"vector", "device"}}}, n);
    if (n > TILE) harness::add_parts_of_host_spine(suite, n, TILE);
    if (n > ON_HOST) return;
    add_three_phase(suite, harness::Memory::pinned, "pinned", n);
    add_three_phase(suite, harness::Memory::pageable, "pageable", n);
}

void add_cases(harness::Suite& suite) {
    const long long longest = suite.quick() ? 1 << 16 : suite.timed() ? 1 << 30 : 1 << 20;
    for (long long n = 1 << 10; n <= longest; n *= 2) {
        add_three_phase(suite, harness::Memory::device, "device", n);
        if (suite.timed()) add_timed_cases(suite, n);
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
