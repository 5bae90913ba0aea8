#include <memory>

#include "experiments/block/tensor_cores/costs.h"
#include "experiments/block/tensor_cores/in_registers.cuh"
#include "experiments/block/tensor_cores/segments_of_numbers.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/scan_raking.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 38,
    .title = "Tensor cores",
    .claim =
        R"(Sums and prefix sums are products with matrices of ones. Done by tensor cores they are faster
           than by additions and shuffles, above all in short segments.)",
    .source =
        R"(Beyond the lecture notes: Dakkak, Li, Xiong, Gelado and Hwu, Accelerating reduction and scan
           using tensor core units, 2019: up to 100 times (reduction) and 3 times (scan) as fast as
           others in small segments, and 89% to 98% of a copy. Longer vectors: Zouzias and McColl, A
           parallel scan algorithm in the tensor core unit model, 2023.)",
    .prediction =
        R"(1,024 halves in segments of 16: 8 tensor instructions in place of 24 shuffles and 64 additions
           of a warp; in longer segments 19, and at most 12 shuffles, in place of 52 to 56. On an H200 a
           scheduler spends 6.5 cycles on a tensor instruction, 2 on an addition. So in registers halves
           gain, about twice in segments of 16 and less in longer scans. tf32 takes twice as many and
           about breaks even; floats in parts take 3 to 4 times as many, and the splitting, and lose.
           From memory all forms move the same bytes and take the same time.)",
    .method =
        R"(A warp holds 1,024 elements, four neighbours a lane in each of eight rows; all forms load,
           store and place them alike. The form varies: additions and shuffles, or products of halves, of
           floats cut off to tf32, of two parts of tf32, of three of bfloat16; crossed with the
           operation, the length of the segments, and where elements are: read from memory once, or in
           registers, where the work is repeated. Sums are floats. CUB's block scan, a raking scan in
           shared memory, a copy and a read run beside them.)",
    .fails_if =
        R"(Count: a count differs from its closed form, or in registers halves take as many instructions
           by products as by additions. Speed: from memory or in registers, in an operation, a format and
           a length of segments, products do not take at least 10% less time than additions and shuffles
           of the same elements.)",
    .headline = true,
};

/// Work on every segment. times: 1, of elements from memory; else of elements that stay in registers.
template <class Form, int SEGMENT, bool SCANS>
void queue(const typename Form::Element* in, float* out, long long n, int times, cudaStream_t stream) {
    constexpr auto ONCE = SCANS ? scan_segments<Form, SEGMENT> : reduce_segments<Form, SEGMENT>;
    constexpr auto AGAIN = SCANS ? scan_in_registers<Form, SEGMENT> : reduce_in_registers<Form, SEGMENT>;
    const auto blocks = static_cast<unsigned>(ceil_div(n, SEGMENT_TILE));
    if (times == 1)
        launch(ONCE, blocks, SEGMENT_THREADS, stream, in, out, n);
    else
        launch(AGAIN, blocks, SEGMENT_THREADS, stream, in, out, times, 0);
}

template <class T>
using Made = std::function<std::shared_ptr<harness::SegmentVectors<T>>()>;

template <class Form, int SEGMENT, bool SCANS>
void add_case(harness::Suite& suite, harness::Factors form, int times, const char* data, long long n,
              const Made<typename Form::Element>& make) {
    using T = typename Form::Element;
    const harness::OnSegments of{SCANS, SEGMENT};
    const auto prepare = [=](cudaStream_t stream) {
        const auto v = make();
        const auto run = [=](const T* in, float* out, long long count) {
            queue<Form, SEGMENT, SCANS>(in, out, count, times, stream);
        };
        harness::Trial trial{[=] { run(v->in.data(), v->out.data(), v->n); }, [=] { v->out.poison(); },
                             [=] { return v->find_error(of); }};
        if (times == 1) trial.findings = [=] { return harness::errors_of_sums<T>(of, run); };
        trial.result = {v->result(of)};
        return trial;
    };
    const auto cost = SCANS ? harness::CostOf<Form>::scan(SEGMENT) : harness::CostOf<Form>::reduce(SEGMENT);
    constexpr bool IN_BLOCK = SEGMENT > ROWS_ELEMENTS;  // warps exchange sums, two shuffles by one of them
    const long long bytes = n * static_cast<long long>(sizeof(T)), results = of.results(n) * 4;
    const long long blocks = n / SEGMENT_TILE, warps = blocks * SEGMENT_WARPS;
    const long long barriers = (SCANS ? 2 : 1) + (times == 1 ? 0 : 1);
    form.operation = SCANS ? "scan" : "reduce";
    auto& c = suite.own(form.with({{"segment", SEGMENT}, {"data", data}}), n,
                        {bytes + 4 * n, bytes + results, prepare});
    c.predict("launches", 1)
        .predict("tensor_instructions", times * warps * cost.tensor_instructions)
        .predict("shuffles", times * (warps * cost.shuffles + (SCANS && IN_BLOCK ? 2 * blocks : 0)))
        .predict("barriers", IN_BLOCK ? blocks * times * barriers : 0)
        .predict("global_load_sectors", bytes / 32)
        .predict("global_store_sectors", std::max(results / 32, IN_BLOCK ? blocks : warps));
    // Of the first warp, which has no warp before it, nvcc decides whether lanes add all the same.
    if (!IN_BLOCK) c.predict("ops", times * warps * cost.ops);
}

/// A form: both operations, every segment.
template <class Form, int... SEGMENTS>
void add_form(harness::Suite& suite, const harness::Factors& form, int times, const char* data, long long n,
              const Made<typename Form::Element>& make) {
    (add_case<Form, SEGMENTS, true>(suite, form, times, data, n, make), ...);
    (add_case<Form, SEGMENTS, false>(suite, form, times, data, n, make), ...);
}

/// Whether the GPU, or the one whose code the SIMT machine runs, multiplies these formats.
bool has_products() { return harness::attribute(cudaDevAttrComputeCapabilityMajor) >= 8; }

void add_forms(harness::Suite& suite, int times, const char* data, long long n) {
    const auto add = [&](auto form, const harness::Factors& named, const auto& make) {
        add_form<decltype(form), 16, 256, 1024, 4096>(suite, named, times, data, n, make);
    };
    const auto halves = harness::made_once<harness::SegmentVectors<__half>>(
        [=] { return std::make_shared<harness::SegmentVectors<__half>>(n); });
    const auto floats = harness::made_once<harness::SegmentVectors<float>>(
        [=] { return std::make_shared<harness::SegmentVectors<float>>(n); });
    add(ByShuffles<__half>{}, {"", "shuffles", {{"type", "half"}}}, halves);
    add(ByShuffles<float>{}, {"", "shuffles", {{"type", "float"}}}, floats);
    if (!has_products()) return;
    add(ByProducts<Halves>{}, {"", "products", {{"type", "half"}, {"format", "half"}}}, halves);
    add(ByProducts<Tf32<1>>{}, {"", "products", {{"type", "float"}, {"format", "tf32"}}}, floats);
    add(ByProducts<Tf32<2>>{}, {"", "products", {{"type", "float"}, {"format", "tf32x2"}}}, floats);
    add(ByProducts<Bfloats>{}, {"", "products", {{"type", "float"}, {"format", "bf16x3"}}}, floats);
}

/// The textbook's raking scan in shared memory, one segment a block.
template <int... SEGMENTS>
void add_raking(harness::Suite& suite, long long n) {
    (suite
         .scan<float>({"scan", "raking", {{"segment", SEGMENTS}}}, n, {SEGMENTS},
                      harness::scan_every_tile<Raking<8>, Padded<>, SEGMENTS, float>)
         .predict("launches", 1),
     ...);
}

void add_cases(harness::Suite& suite) {
    const long long n = suite.timed() ? suite.long_vector() : 1 << 13;
    add_forms(suite, 1, "memory", n);
    add_forms(suite, suite.timed() ? 256 : 32, "registers", suite.timed() ? n / 4 : n);
    add_raking<256, 1024, 4096>(suite, n);
    if (!suite.timed()) return;
    suite.scan<float>({"scan", "cub_block", {{"segment", 256}}}, n, {256},
                      harness::cub_block_scan<float, 256>);
    suite.scan<float>({"scan", "cub_block", {{"segment", 1024}}}, n, {1024},
                      harness::cub_block_scan<float, 1024>);
    suite.reduce<float>({"reduce", "cub_block", {{"segment", 1024}}}, n, 1024,
                        harness::cub_block_reduce<float, 1024>);
    suite.copy<float>({"copy", "device_to_device"}, n);
    suite.read<float>({"read", "ceiling"}, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
