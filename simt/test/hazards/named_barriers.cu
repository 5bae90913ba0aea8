// Named barriers: who waits at one (bar.sync) knows what those did before who only arrived (bar.arrive). Who
// arrives knows nothing of the others.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int HALF = 64, THREADS = 2 * HALF, ROUNDS = 3;
enum class Meets { nobody, arrives, waits };

template <Meets MEETS>
__device__ void meet(int barrier) {
    if (MEETS == Meets::waits) asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
    if (MEETS == Meets::arrives) asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}

/// Half of the block writes a row each round, the other half adds the rows up. ARRIVES_EARLY: before writing.
/// FREED: how the readers give the row back. Every round has barriers of its own, so that nobody hangs.
template <bool ARRIVES_EARLY, Meets FREED>
__global__ void add_rows(const int* in, int* out) {
    __shared__ int row[HALF];
    const int t = threadIdx.x % HALF;
    if (threadIdx.x < HALF) row[t] = 0;
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        const int full = 1 + round, empty = 1 + ROUNDS + round;
        if (threadIdx.x < HALF) {
            if (round > 0 && FREED != Meets::nobody) meet<Meets::waits>(empty - 1);
            if (ARRIVES_EARLY) meet<Meets::arrives>(full);
            row[t] = in[round * HALF + t];
            if (!ARRIVES_EARLY) meet<Meets::arrives>(full);
        } else {
            meet<Meets::waits>(full);
            sum += row[HALF - 1 - t];
            if (round + 1 < ROUNDS) meet<FREED>(empty);
        }
    }
    if (threadIdx.x >= HALF) out[t] = sum;
}

template <bool ARRIVES_EARLY = false, Meets FREED = Meets::arrives>
std::string run_add_rows() {
    const std::vector<int> values = some_values(ROUNDS * HALF);
    Device<int> in(values), out(zeros(HALF));
    run(add_rows<ARRIVES_EARLY, FREED>, 1, THREADS, in.data(), out.data());
    std::vector<int> sums(HALF);
    for (int i = 0; i < ROUNDS * HALF; ++i) sums[HALF - 1 - i % HALF] += values[i];
    return difference(out.read(), sums);
}

/// Both halves write, meet, and read what the other one wrote. FIRST: how the first half meets the second.
template <Meets FIRST>
__global__ void exchange_rows(const int* in, int* out) {
    __shared__ int row[THREADS];
    const int t = threadIdx.x;
    row[t] = 0;
    __syncthreads();
    row[t] = in[t];
    if (FIRST == Meets::arrives && t < HALF)
        meet<Meets::arrives>(1);
    else
        meet<Meets::waits>(1);
    out[t] = row[THREADS - 1 - t];
}

template <Meets FIRST>
std::string run_exchange_rows() {
    return result_of(exchange_rows<FIRST>, 1, THREADS, reversed(some_values(THREADS)), some_values(THREADS),
                     zeros(THREADS));
}

const Bench named_barriers(
    "named barrier",
    {
        {"named_rows", Expected::clean, "writers arrive when a row is full, readers when it may be reused",
         run_add_rows<>},
        {"named_early_arrival", Expected::race, "the writers arrive before they write", run_add_rows<true>},
        {"named_row_not_freed", Expected::race, "a row is written again while it is read",
         run_add_rows<false, Meets::nobody>},
        {"named_exchange", Expected::clean, "both halves wait", run_exchange_rows<Meets::waits>},
        {"named_arriver_reads", Expected::race, "who only arrives does not know what the others wrote",
         run_exchange_rows<Meets::arrives>},
    });

}  // namespace
