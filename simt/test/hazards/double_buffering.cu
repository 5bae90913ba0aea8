// Double buffering: a step reads one buffer and writes the other, so that one barrier a step is enough.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64, STEPS = 4;

/// Each step adds the right neighbour. With one buffer, a step overwrites what its neighbour still reads.
template <int BUFFERS, bool BARRIER>
__global__ void add_neighbours(const int* in, int* out) {
    __shared__ int tile[2][THREADS];
    const int t = threadIdx.x;
    tile[0][t] = in[t];
    tile[1][t] = 0;
    __syncthreads();
    for (int step = 0; step < STEPS; ++step) {
        const int* const now = tile[step % BUFFERS];
        int* const next = tile[(step + 1) % BUFFERS];
        next[t] = now[t] + now[(t + 1) % THREADS];
        if (BARRIER) __syncthreads();
    }
    out[t] = tile[STEPS % BUFFERS][t];
}

template <int BUFFERS, bool BARRIER>
std::string run_add_neighbours() {
    std::vector<int> values = some_values(THREADS);
    Device<int> in(values), out(zeros(THREADS));
    run(add_neighbours<BUFFERS, BARRIER>, 1, THREADS, in.data(), out.data());
    for (int step = 0; step < STEPS; ++step) {
        const std::vector<int> now = values;
        for (int t = 0; t < THREADS; ++t) values[t] = now[t] + now[(t + 1) % THREADS];
    }
    return difference(out.read(), values);
}

/// Each step loads a chunk ahead and, after the step's one barrier, adds the current chunk in reverse. The
/// load of the next step may overtake the reads of this one, so two buffers are one too few.
template <int BUFFERS>
__global__ void load_ahead(const int* in, int* out) {
    __shared__ int tile[BUFFERS][THREADS];
    const int t = threadIdx.x;
    int sum = 0;
    tile[0][t] = in[t];
    for (int step = 0; step < STEPS; ++step) {
        if (step + 1 < STEPS) tile[(step + 1) % BUFFERS][t] = in[(step + 1) * THREADS + t];
        __syncthreads();
        sum += tile[step % BUFFERS][THREADS - 1 - t];
    }
    out[t] = sum;
}

template <int BUFFERS>
std::string run_load_ahead() {
    const std::vector<int> values = some_values(STEPS * THREADS);
    Device<int> in(values), out(zeros(THREADS));
    run(load_ahead<BUFFERS>, 1, THREADS, in.data(), out.data());
    std::vector<int> sums(THREADS);
    for (int i = 0; i < STEPS * THREADS; ++i) sums[THREADS - 1 - i % THREADS] += values[i];
    return difference(out.read(), sums);
}

const Bench double_buffering(
    "double buffering",
    {
        {"two_buffers", Expected::clean, "a step writes the buffer that the step before last read",
         run_add_neighbours<2, true>},
        {"two_buffers_no_barrier", Expected::race, "the next step reads what this one still writes",
         run_add_neighbours<2, false>},
        {"one_buffer", Expected::race, "with one barrier a step, one buffer is read and written at a time",
         run_add_neighbours<1, true>},
        {"load_ahead_three_buffers", Expected::clean, "a barrier stands between a read and the load after it",
         run_load_ahead<3>},
        {"load_ahead_two_buffers", Expected::race, "the next step's load overtakes this step's reads",
         run_load_ahead<2>},
    });

}  // namespace
