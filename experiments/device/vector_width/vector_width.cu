#include <type_traits>

#include "experiments/closed_forms/packs.h"
#include "experiments/harness/suite.h"
#include "experiments/support/resident_blocks.h"
#include "kernels/textbook/device/copy_packs.cuh"
#include "kernels/textbook/device/reduce_packs.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 26,
    .title = "The width of a load",
    .claim =
        R"(A memory-bound kernel that loads 4 bytes per lane, a float, doubles its bandwidth if it loads 16, a
           float4: each load instruction moves four times as much.)",
    .source =
        R"(Beyond the lecture notes: Luitjens, CUDA Pro Tip: Increase Performance with Vectorized Memory
           Access, NVIDIA developer blog, 2013: vector loads are preferable in almost all cases. The factor:
           Vectorized Loads: float4, int4, and 128-Bit Memory Transactions for Maximum Bandwidth,
           fridayswithfaraday.com: 39% of an A100's peak with float, 78% with float4. Against it: Volkov,
           Better performance at lower occupancy, GTC 2010: bytes in flight decide.)",
    .prediction =
        R"(Requests fall as 1 / width, sectors stay. A load from memory takes about 0.35 µs (claim rates), and
           a multiprocessor's share of a read is 24 bytes per ns on an H100, 35 on an H200: 8 and 12 KB in
           flight saturate it; 4 and 6 KB if it also writes. One load of 4 bytes in each of 2,048 threads is
           8 KB, so at full occupancy 16 bytes are at most 1.5 times as fast. At half occupancy a reduction
           becomes twice as fast or more, at a quarter a copy too. Four loads of 4 bytes in flight do what one
           of 16 does. Up to 2²⁰ bytes a launch takes longer than all loads.)",
    .method =
        R"(A copy and a sum of one vector of floats, by persistent blocks of 256 threads: unlike in two
           elements per thread, width does not change their number. Each thread issues its loads, waits for
           all, and stores or adds. Width (1, 2, 4, 8, 16 bytes; sums from 4 on) is crossed with loads in
           flight per thread, with the length, and, with one load, with resident blocks per multiprocessor: 8
           are full occupancy; unused shared memory limits them, at any number with the smallest L1 cache.
           8 loads of 16 bytes do not fit into the 32 registers of a thread at full occupancy. The runtime's
           copy and a kernel that only reads are the limits.)",
    .fails_if =
        R"(Count: requests or sectors differ from their closed form: a request for every 32 lanes, a sector
           for every 32 bytes. Speed: with one load in flight, at a length (at full occupancy) or at an
           occupancy (at the longest vector), a copy or a reduction by 16 bytes takes over 10% more than half
           of the time that it takes by 4 bytes.)",
    .headline = true,
};

using Op = Sum<float>;
using harness::Resident;
using harness::Vectors;

constexpr int THREADS = 256;
constexpr int OF_SUM = THREADS * sizeof(float);  // shared memory of a block that adds
constexpr Resident FULL = {blocks_to_fill(THREADS), false};

/// Elements of 1 or 2 bytes if a lane loads no more, else floats.
template <int WIDTH>
using Element =
    std::conditional_t<WIDTH == 1, unsigned char, std::conditional_t<WIDTH == 2, unsigned short, float>>;

harness::Factors factors(const char* operation, int width, int loads, Resident resident) {
    const char* const limit = resident.by_shared_memory ? "shared" : "threads";
    return {operation,
            "packs",
            {{"width", width}, {"loads", loads}, {"resident", resident.blocks}, {"limit", limit}}};
}

template <int WIDTH, int LOADS>
void add_copy(harness::Suite& suite, long long n, Resident resident) {
    using T = Element<WIDTH>;
    const auto cost = harness::closed_form::passed_by_packs(n, WIDTH, LOADS, THREADS);
    const auto prepare = [=](Vectors<float> v) {
        const long long elements = v.n * static_cast<long long>(sizeof(float)) / sizeof(T);
        return on_resident_blocks(copy_packs<WIDTH / sizeof(T), LOADS, THREADS, T>, resident, cost.tiles,
                                  THREADS, OF_SUM, v.stream, reinterpret_cast<const T*>(v.in),
                                  reinterpret_cast<T*>(v.out), elements);
    };
    // A scan of every element on its own is a copy, and is checked as one.
    suite.scan<float>(factors("copy", WIDTH, LOADS, resident), n, {1}, prepare)
        .predict("launches", 1)
        .predict("ops", 0)
        .predict("global_load_requests", cost.requests)
        .predict("global_load_sectors", cost.sectors)
        .predict("global_store_requests", cost.requests)
        .predict("global_store_sectors", cost.sectors)
        .predict("local_load_requests", 0);
}

template <int WIDTH, int LOADS>
void add_reduction(harness::Suite& suite, long long n, Resident resident) {
    const auto cost = harness::closed_form::passed_by_packs(n, WIDTH, LOADS, THREADS);
    const long long blocks = resident.grid(cost.tiles);
    const auto prepare = [=](Vectors<float> v) -> harness::Work {
        const auto add =
            on_resident_blocks(add_packs<WIDTH / sizeof(float), LOADS, THREADS, float, Op>, resident,
                               cost.tiles, THREADS, OF_SUM, v.stream, v.in, v.out, v.n, Op{});
        return [=] {
            (void)cudaMemsetAsync(v.out, 0, sizeof(float), v.stream);
            add();
        };
    };
    suite.reduce<float>(factors("reduce", WIDTH, LOADS, resident), n, n, prepare)
        .predict("launches", 1)
        .predict("ops", harness::closed_form::reduce_packs_ops(n, blocks, THREADS))
        .predict("barriers", blocks * (1 + harness::closed_form::log2(THREADS)))
        .predict("atomic_requests", blocks)
        .predict("global_load_requests", cost.requests)
        .predict("global_load_sectors", cost.sectors)
        .predict("local_load_requests", 0);
}

template <int LOADS>
void add_widths(harness::Suite& suite, long long n, Resident resident) {
    add_copy<1, LOADS>(suite, n, resident);
    add_copy<2, LOADS>(suite, n, resident);
    add_copy<4, LOADS>(suite, n, resident);
    add_copy<8, LOADS>(suite, n, resident);
    if constexpr (LOADS < 8) add_copy<16, LOADS>(suite, n, resident);
    add_reduction<4, LOADS>(suite, n, resident);
    add_reduction<8, LOADS>(suite, n, resident);
    if constexpr (LOADS < 8) add_reduction<16, LOADS>(suite, n, resident);
}

void add_cases(harness::Suite& suite) {
    const long long longest = suite.long_vector(), shortest = suite.timed() ? longest >> 12 : longest;
    for (long long n = longest; n >= shortest; n /= 4) {
        add_widths<1>(suite, n, FULL);
        if (!suite.timed()) continue;
        suite.copy<float>({"copy", "device_to_device"}, n);
        suite.read<float>({"read", "ceiling"}, n);
    }
    add_widths<2>(suite, longest, FULL);
    add_widths<4>(suite, longest, FULL);
    add_widths<8>(suite, longest, FULL);
    for (int blocks = FULL.blocks; blocks >= 1; blocks /= 2) add_widths<1>(suite, longest, {blocks, true});
    if (!suite.timed())
        add_widths<4>(suite, longest / 4 + 4243, FULL);  // the last tile and the last pack are partial
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
