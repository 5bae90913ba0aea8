#include "experiments/harness/suite.h"
#include "kernels/launch.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 31,
    .title = "The profiler's counter of bank conflicts",
    .claim =
        R"(The profiler counts bank conflicts: where l1tex__data_bank_conflicts_pipe_lsu_mem_shared is not 0,
           lanes of a warp have contended for a bank of shared memory, that many times.)",
    .source =
        R"(The metric's name, and how it is read: in CUTLASS issue 1882 (2024) it shows 5,713,107 for a copy
           whose author finds no conflict. Against it: Accel-Sim pull request 231 (2023) reports 2,484 for a
           kernel that has none.)",
    .prediction =
        R"(Lanes that lie D words apart, D a power of two, contend D at a time: D - 1 conflicts a request.
           Accesses of 8 and 16 bytes to consecutive places take 2 and 4 wavefronts and have no conflict.
           Shared memory and the L1 cache share their banks. So if the counter also counts what waits for
           other traffic, it shows more than that where loads from global memory arrive or stores leave, and
           the same number twice only by chance.)",
    .method =
        R"(Warps exchange elements through shared memory, 16 times there and back. Four factors, crossed: the
           stride in words; the bytes of an access, at stride 1; what goes on beside it: nothing, a load from
           global memory before each exchange, or a store after it; and the length: 2^16 elements, at most
           two blocks an SM, and 2^20, which fill the GPU. Shared memory is accessed alike in all. Every
           conflict is known three times: by its closed form, by the SIMT machine's count, and as wavefronts
           beyond the ideal, which the profiler finds instruction by instruction.)",
    .fails_if = R"(Count: the counter differs from the number of bank conflicts, in any case.)",
    .headline = true,
};

enum class Beside { nothing, loads, stores };
const char* const BESIDE[] = {"nothing", "loads", "stores"};

constexpr int THREADS = 256, ROUNDS = 16;

/// Words of 4, 8 and 16 bytes, and the bits that two have in common.
__device__ uint1 both(uint1 a, uint1 b) { return {a.x & b.x}; }
__device__ uint2 both(uint2 a, uint2 b) { return {a.x & b.x, a.y & b.y}; }
__device__ uint4 both(uint4 a, uint4 b) { return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w}; }

/// Copies a word a thread, which the lanes of a warp pass on by one lane and back in each round. Grid: a
/// block for every THREADS words. The words of a warp lie STRIDE words apart in shared memory. move: 0, which
/// the compiler must not know, or it would load and store once.
template <int STRIDE, Beside BESIDE_IT, class Word>
__global__ void __launch_bounds__(THREADS) exchange(const Word* in, Word* out, int move) {
    __shared__ Word places[THREADS * STRIDE];
    const int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32;
    Word* const own = places + (threadIdx.x - lane) * STRIDE;  // of the warp
    Word word = in[i];
    for (int r = 0; r < ROUNDS; ++r) {
        if constexpr (BESIDE_IT == Beside::loads) word = both(word, in[i + r * move]);
        own[lane * STRIDE] = word;
        __syncwarp();
        word = own[(lane + 1) % 32 * STRIDE];
        __syncwarp();
        own[lane * STRIDE] = word;
        __syncwarp();
        word = own[(lane + 31) % 32 * STRIDE];
        __syncwarp();
        if constexpr (BESIDE_IT == Beside::stores) out[i + r * move] = word;
    }
    out[i] = word;
}

template <int STRIDE, Beside BESIDE_IT, class Word>
void add_case(harness::Suite& suite, long long n) {
    constexpr long long WORDS = sizeof(Word) / 4, WAVEFRONTS = STRIDE * WORDS;  // of a request
    const long long blocks = n / WORDS / THREADS;
    const long long requests = blocks * (THREADS / 32) * 2 * ROUNDS;
    const harness::Levels levels = {
        {"stride", STRIDE}, {"bytes", sizeof(Word)}, {"beside", BESIDE[int(BESIDE_IT)]}};
    // The prefixes of segments of one element are the elements: the result is a copy.
    suite
        .scan<unsigned>(
            {"exchange", "shared", levels}, n, {1},
            [blocks](harness::Vectors<unsigned> v) {
                const auto in = reinterpret_cast<const Word*>(v.in);
                const auto out = reinterpret_cast<Word*>(v.out);
                return
                    [=] { launch(exchange<STRIDE, BESIDE_IT, Word>, blocks, THREADS, v.stream, in, out, 0); };
            })
        .predict("shared_load_requests", requests)
        .predict("shared_store_requests", requests)
        .predict("shared_load_wavefronts", requests * WAVEFRONTS)
        .predict("shared_store_wavefronts", requests * WAVEFRONTS)
        .predict("bank_conflicts", 2 * requests * (STRIDE - 1));
}

template <Beside BESIDE_IT>
void add_strides_and_widths(harness::Suite& suite, long long n) {
    add_case<1, BESIDE_IT, uint1>(suite, n);
    add_case<2, BESIDE_IT, uint1>(suite, n);
    add_case<4, BESIDE_IT, uint1>(suite, n);
    add_case<8, BESIDE_IT, uint1>(suite, n);
    add_case<16, BESIDE_IT, uint1>(suite, n);
    add_case<32, BESIDE_IT, uint1>(suite, n);
    add_case<1, BESIDE_IT, uint2>(suite, n);
    add_case<1, BESIDE_IT, uint4>(suite, n);
}

void add_length(harness::Suite& suite, long long n) {
    add_strides_and_widths<Beside::nothing>(suite, n);
    add_strides_and_widths<Beside::loads>(suite, n);
    add_strides_and_widths<Beside::stores>(suite, n);
}

void add_cases(harness::Suite& suite) {
    add_length(suite, suite.long_vector());
    if (!suite.timed()) add_length(suite, 16 * suite.long_vector());
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
