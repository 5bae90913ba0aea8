#include "experiments/block/worked_examples/examples.h"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 1,
    .title = "The sources' worked examples",
    .claim = "The examples that the sources work by hand print what their algorithms compute, step by step.",
    .source =
        R"(Lecture notes: Padrão Scan em CUDA (Portuguese); Algorithmes fondamentaux: opération scan
           (French); CUDA. Сумма на префиксе (MIPT, Russian); Programação paralela em GPU: Redução e Scan com
           CUDA (Portuguese); Trabalho eficiente de scan paralelo utilizando árvore de redução (Portuguese),
           after Kirk and Hwu.)",
    .prediction =
        R"(Each number that a source prints of an example is the number that a kernel of that algorithm
           produces.)",
    .method =
        R"(Each example runs as printed, through kernels of the other sections. A result is what a kernel
           writes at the end; it is compared on both machines. All else is intermediate: what shared memory
           holds after a step, which elements a step writes, strides, active lanes; it is compared with what
           the SIMT machine records of the block. Of pictures only the number of active lanes is compared.
           The bank map of 64 elements is drawn in the section of `padding`, the lanes of a warp in that of
           `divergence`.)",
    .fails_if =
        R"(Count: a number that a source prints of an example, result or intermediate, is not the one that
           the kernel computes.)",
};

using Floats = std::vector<float>;
using harness::one_to, harness::Printed, harness::reduction_example, harness::scan_example;
namespace closed_form = harness::closed_form;

/// The factors of an example: whose it is, and which.
harness::Levels of(const char* source, const char* example) {
    return {{"source", source}, {"example", example}};
}

struct Positive {
    __host__ __device__ bool operator()(float element) const { return element > 0; }
};

__global__ void one_block() {}

/// The most threads with which one block can be launched, of the sizes that the sources ask for and one more
/// thread.
void add_largest_block(harness::Suite& suite, const harness::Factors& factors) {
    const auto most_threads = [](cudaStream_t stream) {
        double most = 0;
        for (const unsigned threads : {1024u, 1025u, 2048u}) {
            launch(one_block, 1u, threads, stream);
            if (cudaGetLastError() == cudaSuccess) most = threads;
        }
        return harness::Findings{{"most_threads", most}};
    };
    const auto prepare = [=](cudaStream_t stream) {
        return harness::Trial{[=] { launch(one_block, 1u, 1024u, stream); }, [] {},
                              [] { return std::string(); }, [=] { return most_threads(stream); }};
    };
    suite.own(factors, 1, {0, 0, prepare}).predict("launches", 1);
}

void add_scans(harness::Suite& suite) {
    const Floats eight = {3, 1, 7, 0, 4, 1, 6, 3};
    constexpr long long HILLIS_STEELE = closed_form::hillis_steele_ops(8),
                        TREE = closed_form::blelloch_ops(8);

    scan_example<HillisSteele, 8>(suite, {"scan", "hillis_steele", of("padrao", "six")}, {1, 2, 5, 7, 9, 6},
                                  {{1, 3, 8, 15, 24, 30}}, closed_form::kogge_stone_warp_ops(6))
        .trace_contents();
    scan_example<HillisSteele, 8>(suite, {"scan", "hillis_steele", of("padrao", "block")}, eight,
                                  {{3, 4, 11, 11, 15, 16, 22, 25}}, HILLIS_STEELE);
    scan_example<HillisSteele, 8>(suite, {"scan", "hillis_steele", of("algorithmes", "inclusive")}, one_to(8),
                                  {{1, 3, 6, 10, 15, 21, 28, 36}, {{"rule_first", {2, 3, 5}}}}, HILLIS_STEELE)
        .trace_contents();
    scan_example<Blelloch, 8>(suite, {"scan", "blelloch", of("algorithmes", "exclusive")}, one_to(8),
                              {{0, 1, 3, 6, 10, 15, 21, 28}}, TREE)
        .trace_contents();
    const Printed steps = {{},
                           {{"printed_value_1", {3, 4, 7, 7, 4, 5, 6, 9}},
                            {"printed_value_2", {3, 4, 10, 7, 4, 5, 15, 9}},
                            {"printed_value_4", {3, 4, 10, 7, 4, 5, 15, 25}}}};
    scan_example<HillisSteele, 8>(suite, {"scan", "hillis_steele", of("reducao", "steps")}, eight, steps,
                                  HILLIS_STEELE)
        .trace_contents();
    const Printed tree = {
        {0, 3, 4, 11, 11, 15, 16, 22, 25},
        {{"printed_value_up1", {4, 7, 5, 9}}, {"printed_value_up2", {11, 14}}, {"printed_value_up4", {25}}}};
    scan_example<Blelloch, 8>(suite, {"scan", "blelloch", of("reducao", "tree")}, eight, tree, TREE)
        .trace_contents();
    scan_example<Blelloch, 2048>(suite, {"scan", "blelloch", of("reducao", "prefixes")}, one_to(2048), {},
                                 closed_form::blelloch_ops(2048));
}

void add_compactions(harness::Suite& suite) {
    const Floats in = {1, -8, 0, 3, 5, 2, -1, -9};
    const Floats mask = {1, 0, 0, 1, 1, 1, 0, 0};
    const Printed steps = {{},
                           {{"printed_stride_up", {1, 2, 4}},
                            {"printed_word_up1", {1, 3, 5, 7}},
                            {"printed_word_up2", {3, 7}},
                            {"printed_word_up4", {7}},
                            {"printed_stride_down", {4, 2, 4}},
                            {"printed_word_down4", {3, 7}},
                            {"printed_word_down2", {1, 3, 5, 7}},
                            {"printed_word_down1", {0, 1, 2, 3, 4, 5, 6, 7}}}};
    scan_example<Blelloch, 8>(suite, {"scan", "blelloch", of("algorithmes", "mask")}, mask, steps,
                              closed_form::blelloch_ops(8))
        .trace_contents();
    harness::compaction_example<Positive>(suite, {"compact", "scatter", of("algorithmes", "kept")}, in);
}

void add_networks(harness::Suite& suite) {
    Floats bits;
    for (int i = 0; i < 16; ++i) bits.push_back(1 << i);  // the bits of a sum tell its elements
    const Printed steps = {{},
                           {{"printed_word_up1", {1, 3, 5, 7, 9, 11, 13, 15}},
                            {"printed_word_up2", {3, 7, 11, 15}},
                            {"printed_final_up8", {0, 7, 15}},
                            {"printed_stride_down", {8}},
                            {"printed_word_down4", {11}},
                            {"printed_word_down2", {5, 9, 13}},
                            {"printed_word_down1", {2, 4, 6, 8, 10, 12}},
                            {"rule_ops", {2 * 16 - 3}}}};
    scan_example<BrentKung<>, 16>(suite, {"scan", "brent_kung", of("arvore", "sixteen")}, bits, steps,
                                  closed_form::brent_kung_ops(16))
        .trace_contents();
    constexpr auto hillis_steele = closed_form::hillis_steele(1024), tree = closed_form::blelloch(1024);
    scan_example<HillisSteele, 1024>(suite, {"scan", "hillis_steele", of("prefix", "work")}, one_to(1024), {},
                                     hillis_steele.ops)
        .predict("warp_ops", hillis_steele.warp_ops);
    scan_example<Blelloch, 1024>(suite, {"scan", "blelloch", of("prefix", "work")}, one_to(1024), {},
                                 tree.ops)
        .predict("warp_ops", tree.warp_ops + 1);
}

void add_cases(harness::Suite& suite) {
    add_scans(suite);
    add_compactions(suite);
    add_networks(suite);
    reduction_example<ReduceTree<Threads::spaced>, 64>(suite, {"reduce", "tree", of("reducao", "spaced")},
                                                       one_to(64),
                                                       {{}, {{"printed_lanes_each", {32, 12, 6, 4, 2, 1}}}});
    reduction_example<ReduceTree<Threads::halving>, 64>(
        suite, {"reduce", "tree", of("reducao", "consecutive")}, one_to(64),
        {{}, {{"printed_lanes_each", {32, 16, 8, 4, 2, 1}}}});
    reduction_example<ReduceTree<Threads::halving>, 2048>(suite, {"reduce", "tree", of("reducao", "sum")},
                                                          one_to(2048), {});
    add_largest_block(suite, {"launch", "one_block", of("algorithmes", "spine")});
    for (harness::Case& c : suite.cases()) c.count_steps();
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
