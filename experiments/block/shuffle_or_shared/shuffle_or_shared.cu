#include "experiments/block/shuffle_or_shared/exchanges.cuh"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/suite.h"
#include "experiments/support/type_names.h"
#include "kernels/launch.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 36,
    .title = "Shuffles against shared memory",
    .claim =
        R"(In a warp, shuffles are 10 to 20 times as fast as an exchange through shared memory: a shuffle
           takes the place of a store, a barrier and a load.)",
    .source =
        R"(Beyond the lecture notes: fridayswithfaraday.com, posts/cuda-kernel-eng-warp-primitives-shuffles,
           of 5 shuffles against a reduction with 5 barriers: "This 10-20x performance gap is why every
           production CUDA library uses warp primitives". NVIDIA's developer blog says less (CUDA Pro Tip: Do
           The Kepler Shuffle, after Demouth, GTC 2013): always faster than safe uses of shared memory, never
           slower than unsafe ones. Its forum has a thread "Why is __shfl slower than shared memory".)",
    .prediction =
        R"(A warp takes 5 steps. A step is one shuffle for each 4 bytes of an element; or a store to shared
           memory, a barrier and a load. On an H200 a shuffle takes 26 cycles, a load 23, a barrier of the
           block 11 (results/nvidia-h200/clock.csv), an addition 4. So where one warp waits for itself, 30
           cycles a step stand against about 30 with the barrier of the warp and 40 with that of the block:
           1.0 to 1.5 times as fast. A full SM makes one shuffle a cycle, or one wavefront of the two that a
           store and a load take; for doubles it is two shuffles against four wavefronts: 2 times as fast,
           and more than that against barriers of blocks. In a long vector memory decides: 1.0 times. For
           sums of ints __reduce_add_sync is one instruction in place of 5 steps: 5 times as fast as shuffles
           where a warp waits.)",
    .method =
        R"(One butterfly reduction and one Kogge-Stone scan of a warp; only the exchange between lanes varies:
           shuffles, or shared memory with __syncwarp or __syncthreads. Then of a block of 1,024 threads,
           whose warps use shuffles or shared memory with __syncwarp. Sums of int, float and double. Regimes:
           latency, one warp or one block an SM, which repeats it in registers, each time on the result of
           the time before; few, the same with 8 warps in a block; throughput, with 64 warps an SM; memory,
           once for every tile of a long vector. The form of Harris 2007 without a barrier is left out: since
           Volta it is a race, and it saves one NOP a step.)",
    .fails_if =
        R"(Count: a count of shuffles, of warp reductions, of requests to shared memory or of barriers differs
           from its closed form. Speed: in a regime, of an operation on a type, shuffles take over 10% of the
           time that the same algorithm takes by shared memory, with the barrier of the warp or with that of
           the block.)",
    .headline = true,
};

using harness::Levels;
using harness::Vectors;

constexpr int FULL = 2048;  // threads of a full multiprocessor

/// In a regime every multiprocessor has one block, or as many as fit; in `memory` a long vector is cut up.
enum class Regime { latency, few, throughput, memory };
const char* const REGIME[] = {"latency", "few", "throughput", "memory"};

template <class Exchange>
constexpr const char* EXCHANGE = "redux";
template <>
constexpr const char* EXCHANGE<Shuffle> = "shuffle";
template <>
constexpr const char* EXCHANGE<Shared<Barrier::warp>> = "syncwarp";
template <>
constexpr const char* EXCHANGE<Shared<Barrier::block>> = "syncthreads";

/// The multiprocessors; 2 where cases are counted.
int multiprocessors(const harness::Suite& suite) {
    return suite.timed() ? harness::attribute(cudaDevAttrMultiProcessorCount) : 2;
}

/// Of all rounds. In a block one warp more joins the 32, by way of shared memory.
template <Operation OPERATION, Scope SCOPE, class Exchange, class T>
void predict(harness::Case& c, long long blocks, long long warps_of_a_block, long long rounds) {
    constexpr bool SHUFFLES = std::is_same_v<Exchange, Shuffle>, IS_REDUX = std::is_same_v<Exchange, Redux>;
    constexpr bool BARS = std::is_same_v<Exchange, Shared<Barrier::block>>, BLOCK = SCOPE == Scope::block;
    const long long all = blocks * rounds, warps = all * (BLOCK ? 33 : warps_of_a_block), joins = BLOCK * all;
    const long long shared = SHUFFLES || IS_REDUX ? 0 : 5 * warps;
    c.predict("shuffles", SHUFFLES ? 5 * warps * sizeof(T) / 4 : 0)
        .predict("warp_reductions", IS_REDUX ? warps : 0)
        .predict("shared_store_requests", shared + 33 * joins)
        .predict("shared_load_requests", shared + (OPERATION == Operation::reduce ? 33 : 32) * joins)
        .predict("barriers", (BARS ? 5 * all : 0) + 2 * joins);
}

template <Operation OPERATION, Scope SCOPE, class Exchange, int THREADS, class T>
void add(harness::Suite& suite, Regime regime) {
    const bool loops = regime != Regime::memory, full = regime == Regime::throughput;
    const int rounds = !loops ? 1 : !suite.timed() ? 5 : suite.quick() ? 257 : 4097;
    const long long resident = multiprocessors(suite) * (full ? FULL / THREADS : 1);
    const long long n = loops ? resident * THREADS : suite.timed() ? suite.long_vector() : 1 << 13;
    const auto prepare = [=](Vectors<T> v) -> harness::Work {
        const auto kernel = collect_in_rounds<OPERATION, SCOPE, Exchange, THREADS, T, Sum<T>>;
        const auto blocks = static_cast<unsigned>(v.n / THREADS);
        return [=] { launch(kernel, blocks, THREADS, v.stream, v.in, v.out, rounds, Sum<T>{}); };
    };
    constexpr bool BLOCK = SCOPE == Scope::block, REDUCES = OPERATION == Operation::reduce;
    const Levels levels = Levels{{"scope", BLOCK ? "block" : "warp"}, {"regime", REGIME[int(regime)]}} +
                          harness::type_factor<T>() + Levels{{"rounds", rounds}};
    const harness::Factors factors = {REDUCES ? "reduce" : "scan", EXCHANGE<Exchange>, levels};
    constexpr long long SEGMENT = BLOCK ? THREADS : 32;
    auto& c = REDUCES ? suite.reduce<T>(factors, n, SEGMENT, prepare)
                      : suite.scan<T>(factors, n, {SEGMENT}, prepare);
    predict<OPERATION, SCOPE, Exchange, T>(c, n / THREADS, THREADS / 32, rounds);
}

template <Operation OPERATION, class Exchange, class T>
void add_warps(harness::Suite& suite) {
    add<OPERATION, Scope::warp, Exchange, 32, T>(suite, Regime::latency);
    add<OPERATION, Scope::warp, Exchange, 256, T>(suite, Regime::few);
    add<OPERATION, Scope::warp, Exchange, 256, T>(suite, Regime::throughput);
}

template <Operation OPERATION, class Exchange, class T>
void add_blocks(harness::Suite& suite) {
    for (const Regime regime : {Regime::latency, Regime::throughput, Regime::memory})
        add<OPERATION, Scope::block, Exchange, 1024, T>(suite, regime);
}

template <Operation OPERATION, class T>
void add_exchanges(harness::Suite& suite) {
    add_warps<OPERATION, Shuffle, T>(suite);
    add_warps<OPERATION, Shared<Barrier::warp>, T>(suite);
    add_warps<OPERATION, Shared<Barrier::block>, T>(suite);
    add_blocks<OPERATION, Shuffle, T>(suite);
    add_blocks<OPERATION, Shared<Barrier::warp>, T>(suite);
}

template <class T>
void add_type(harness::Suite& suite) {
    add_exchanges<Operation::reduce, T>(suite);
    add_exchanges<Operation::scan, T>(suite);
    if (!suite.timed()) return;
    suite.read<T>({"read", "ceiling", harness::type_factor<T>()}, suite.long_vector());
    suite.copy<T>({"copy", "device_to_device", harness::type_factor<T>()}, suite.long_vector());
}

/// Whether the GPU, or the one whose code the SIMT machine runs, has __reduce_add_sync.
bool has_redux() { return harness::attribute(cudaDevAttrComputeCapabilityMajor) >= 8; }

void add_cases(harness::Suite& suite) {
    add_type<int>(suite);
    add_type<float>(suite);
    add_type<double>(suite);
    if (!has_redux()) return;
    add_warps<Operation::reduce, Redux, int>(suite);
    add_blocks<Operation::reduce, Redux, int>(suite);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
