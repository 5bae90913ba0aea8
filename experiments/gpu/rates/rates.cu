#include "experiments/gpu/rates/known_values.h"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/rates/adds.cuh"
#include "kernels/rates/barrier_steps.cuh"
#include "kernels/rates/block_copies.cuh"
#include "kernels/rates/empty_blocks.cuh"
#include "kernels/rates/latency.cuh"
#include "kernels/rates/shared_loads.cuh"

#include <vector>

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 920,
    .title = "What a GPU charges for",
    .claim =
        R"(A kernel's time follows from what it does, because each thing that a GPU does has one price: an
           instruction, a wavefront of shared memory, a byte, a block, a step between barriers. The price
           depends on nothing else.)",
    .source =
        R"(The assumption of all models that predict times from micro-benchmarks: Hong and Kim 2009; Zhang
           and Owens 2011; Ding and Williams 2019.)",
    .prediction =
        R"(A multiprocessor has four schedulers and one pipeline to shared memory, so it issues up to 4 warp
           instructions a cycle and serves up to 1 wavefront a cycle, whatever the conflict. By earlier
           measurements on an H200: 0.6 ns a block of up to 512 threads; 70 cycles a step of one block of 128
           threads, twice as many with 1,024.)",
    .method =
        R"(Kernels that know nothing of scans, one for each price, with a GPU full of them or a single block
           a multiprocessor: independent additions, by threads a block; loads from shared memory, by the
           degree of their bank conflict; steps of two loads, an addition, a store and a barrier, by threads
           and resident blocks; empty blocks, by threads; blocks that load a tile and store it, one resident;
           empty kernels; dependent loads from 128 MB; a copy and a read. The time of an empty kernel is
           taken off.)",
    .fails_if =
        R"(Count: a count differs from its closed form. Speed: a price differs by more than 25% from its
           first one: of an instruction by threads (first: 128), of a wavefront by conflict degree (first:
           32), of a block by threads (first: 32), of a step by threads of a single resident block (first:
           32).)",
};

using Float = Sum<float>;
using Word = Sum<unsigned>;

/// The multiprocessors, each of which gets the same number of blocks; 2 where cases are counted.
int multiprocessors(const harness::Suite& suite) {
    return suite.timed() ? harness::attribute(cudaDevAttrMultiProcessorCount) : 2;
}

constexpr int FULL = 2048;  // threads of a full multiprocessor

template <int THREADS>
void add_instructions(harness::Suite& suite) {
    const int rounds = suite.timed() ? 256 : 1, blocks = FULL / THREADS * multiprocessors(suite);
    const long long adds = rates::adds(rounds), threads = 1LL * blocks * THREADS;
    const auto prepare = [=](float* out, cudaStream_t stream) {
        return [=] {
            launch(rates::add_in_chains<THREADS, float, Float>, blocks, THREADS, stream, out, 1.f, rounds,
                   Float{});
        };
    };
    const float sum = adds - (rates::CHAINS - 1) + rates::CHAINS * (rates::CHAINS - 1) / 2;
    harness::add_known<float>(suite, {"charge", "instruction", {{"threads", THREADS}}},
                              {threads, FULL / 32. * adds, prepare, [=](long long) { return sum; }})
        .predict("ops", threads * adds)
        .predict("warp_ops", threads / 32 * adds);
}

template <int DEGREE>
void add_wavefronts(harness::Suite& suite) {
    constexpr int THREADS = 1024, LOADED = rates::STRIDED_WORDS<DEGREE>;
    const int rounds = (suite.timed() ? 1024 : 32) / DEGREE, blocks = FULL / THREADS * multiprocessors(suite);
    const long long threads = 1LL * blocks * THREADS, requests = threads / 32 * rounds * rates::LOADS;
    const auto prepare = [=](float* out, cudaStream_t stream) {
        return [=] {
            launch(rates::load_at_stride<DEGREE, THREADS, float, Float>, blocks, THREADS, stream, out, rounds,
                   0, Float{});
        };
    };
    const auto at = [=](long long thread) {
        float sum = 0;
        for (int k = 0; k < rates::LOADS; ++k) sum += rates::strided_word(DEGREE * (thread % 32) + k);
        return rounds * sum;
    };
    const double charged = FULL / 32. * rounds * rates::LOADS * DEGREE;
    harness::add_known<float>(suite, {"charge", "wavefront", {{"degree", DEGREE}}},
                              {threads, charged, prepare, at})
        .predict("shared_load_requests", requests)
        .predict("shared_load_wavefronts", requests * DEGREE)
        .predict("shared_store_wavefronts", blocks * ((LOADED + 31LL) / 32))
        .predict("barriers", blocks);
}

/// What the threads of a block hold after `steps` steps.
std::vector<unsigned> after_steps(int threads, int steps) {
    std::vector<unsigned> words(threads);
    for (int i = 0; i < threads; ++i) words[i] = i;
    for (int s = 0; s < steps; ++s) {
        const unsigned first = words[0];
        for (int i = 0; i < threads; ++i) words[i] += i + 1 < threads ? words[i + 1] : first;
    }
    return words;
}

template <int THREADS>
void add_steps(harness::Suite& suite, int resident) {
    const int pairs = suite.timed() ? 2048 : 2, blocks = resident * multiprocessors(suite);
    const long long threads = 1LL * blocks * THREADS, warps = threads / 32;
    const auto prepare = [=](unsigned* out, cudaStream_t stream) {
        return [=] {
            launch(rates::step_between_barriers<THREADS, unsigned, Word>, blocks, THREADS, stream, out, pairs,
                   Word{});
        };
    };
    const auto at = [words = after_steps(THREADS, 2 * pairs)](long long t) { return words[t % THREADS]; };
    const harness::Levels levels = {{"threads", THREADS}, {"resident", resident}};
    harness::add_known<unsigned>(suite, {"charge", "step", levels}, {threads, 2. * pairs, prepare, at})
        .predict("ops", 2 * pairs * threads)
        .predict("shared_load_wavefronts", (4 * pairs + 1) * warps)
        .predict("shared_store_wavefronts", (2 * pairs + 1) * warps)
        .predict("barriers", (2 * pairs + 1LL) * blocks);
}

template <int THREADS>
void add_empty_blocks(harness::Suite& suite) {
    const unsigned blocks = suite.timed() ? 1 << 18 : 4;
    const harness::Levels levels = {{"threads", THREADS}, {"blocks", blocks}};
    suite
        .launch({"charge", "block", levels},
                [=](harness::Vectors<int> v) {
                    return [=] { launch(rates::do_nothing<THREADS>, blocks, THREADS, v.stream); };
                })
        .predict("launches", 1)
        .predict("barriers", 0)
        .predict("global_store_sectors", 0);
}

void add_empty_kernels(harness::Suite& suite, int kernels) {
    suite
        .launch({"charge", "launch", {{"kernels", kernels}}},
                [=](harness::Vectors<int> v) {
                    return [=] {
                        for (int k = 0; k < kernels; ++k) launch(rates::do_nothing<32>, 1, 32, v.stream);
                    };
                })
        .predict("launches", kernels);
}

/// One block a multiprocessor at a time, because it asks for most of the shared memory.
template <int THREADS>
void add_block_copies(harness::Suite& suite) {
    constexpr int SHARED_BYTES = 160 << 10;
    const long long n = THREADS * (suite.timed() ? 1LL << 14 : 4), blocks = n / THREADS, warps = n / 32;
    const auto prepare = [](harness::Vectors<float> v) -> harness::Work {
        const auto kernel = rates::copy_by_blocks<THREADS, float>;
        harness::check(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES),
            "shared memory");
        const auto grid = static_cast<unsigned>(v.n / THREADS);
        return [=] { launch_with_shared_memory(kernel, grid, THREADS, SHARED_BYTES, v.stream, v.in, v.out); };
    };
    // A scan of every element on its own is a copy, and is checked as one.
    suite.scan<float>({"charge", "block_copy", {{"threads", THREADS}}}, n, {1}, prepare)
        .predict("ops", 0)
        .predict("barriers", blocks)
        .predict("shared_load_wavefronts", warps)
        .predict("shared_store_wavefronts", warps)
        .predict("global_load_sectors", 4 * warps)
        .predict("global_store_sectors", 4 * warps);
}

/// One thread that follows places through more memory than a cache holds.
void add_latency(harness::Suite& suite) {
    const long long n = suite.timed() ? 1 << 25 : 1 << 8;
    const int hops = suite.timed() ? 512 : 8;
    const auto places = harness::made_once<harness::OwnVector<unsigned>>([n] {
        const auto next = std::make_shared<harness::OwnVector<unsigned>>(n);
        next->fill([n](long long i) { return static_cast<unsigned>((i + rates::STRIDE) % n); });
        return next;
    });
    const auto prepare = [=](unsigned* out, cudaStream_t stream) {
        const auto next = places();
        return [=] { launch(rates::follow<unsigned>, 1, 1, stream, next->data(), out, hops); };
    };
    const auto last = static_cast<unsigned>(1ULL * hops * rates::STRIDE % n);
    harness::add_known<unsigned>(suite, {"charge", "latency", {{"places", n}}},
                                 {1, double(hops), prepare, [=](long long) { return last; }, 4 * n})
        .predict("global_load_sectors", hops)
        .predict("global_store_sectors", 1);
}

template <int... THREADS>
void add_by_threads(harness::Suite& suite) {
    for (const int resident : {1, 2, 4, 8, 16})
        ((resident * THREADS <= FULL ? add_steps<THREADS>(suite, resident) : void()), ...);
    (add_empty_blocks<THREADS>(suite), ...);
    (add_block_copies<THREADS>(suite), ...);
}

template <int... DEGREES>
void add_by_degree(harness::Suite& suite) {
    (add_wavefronts<DEGREES>(suite), ...);
}

void add_cases(harness::Suite& suite) {
    for (const int kernels : {1, 17}) add_empty_kernels(suite, kernels);
    add_instructions<128>(suite);
    add_instructions<256>(suite);
    add_instructions<512>(suite);
    add_instructions<1024>(suite);
    add_by_degree<32, 16, 8, 4, 2, 1>(suite);
    add_by_threads<32, 64, 128, 256, 512, 1024>(suite);
    add_latency(suite);
    if (!suite.timed()) return;
    const long long n = 4 * suite.long_vector();
    suite.copy<float>({"copy", "device_to_device"}, n);
    suite.read<float>({"read", "ceiling"}, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
