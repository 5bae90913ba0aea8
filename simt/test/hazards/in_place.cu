// Updates in place: an element must have been read by all that need its old value before it is written.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64;

/// Shift a vector to the left by one. The last element stays.
template <bool BARRIER>
__global__ void shift_left(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = values[i + 1 < n ? i + 1 : i];
    if (BARRIER) __syncthreads();
    values[i] = value;
}

template <bool BARRIER, int BLOCKS>
std::string run_shift_left() {
    std::vector<int> expected = some_values(BLOCKS * THREADS);
    Device<int> values(expected);
    run(shift_left<BARRIER>, BLOCKS, THREADS, values.data(), BLOCKS * THREADS);
    for (int i = 0; i + 1 < BLOCKS * THREADS; ++i) expected[i] = expected[i + 1];
    return difference(values.read(), expected);
}

/// The same into another vector, which needs no order.
__global__ void shift_left_copied(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1 < n ? i + 1 : i];
}

std::string run_shift_left_copied() {
    std::vector<int> expected = some_values(2 * THREADS);
    Device<int> in(expected), out(zeros(2 * THREADS));
    run(shift_left_copied, 2, THREADS, in.data(), out.data(), 2 * THREADS);
    for (int i = 0; i + 1 < 2 * THREADS; ++i) expected[i] = expected[i + 1];
    return difference(out.read(), expected);
}

/// Inclusive Hillis-Steele scan of a tile, in place: two barriers a step.
enum class Missing { nothing, barrier_before_write, barrier_after_write };

template <Missing MISSING>
__global__ void scan(const int* in, int* out) {
    __shared__ int tile[THREADS];
    const int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    for (int stride = 1; stride < THREADS; stride *= 2) {
        int sum = tile[t];
        if (t >= stride) sum += tile[t - stride];
        if (MISSING != Missing::barrier_before_write) __syncthreads();
        tile[t] = sum;
        if (MISSING != Missing::barrier_after_write) __syncthreads();
    }
    out[t] = tile[t];
}

template <Missing MISSING>
std::string run_scan() {
    std::vector<int> values = some_values(THREADS);
    Device<int> in(values), out(zeros(THREADS));
    run(scan<MISSING>, 1, THREADS, in.data(), out.data());
    int sum = 0;
    for (int& value : values) value = sum += value;
    return difference(out.read(), values);
}

const Bench in_place(
    "in place",
    {
        {"shift_left", Expected::clean, "a barrier stands between all reads and all writes",
         run_shift_left<true, 1>},
        {"shift_left_no_barrier", Expected::race, "a thread writes what its left neighbour still reads",
         run_shift_left<false, 1>},
        {"shift_left_two_blocks", Expected::race, "a block writes what the block on its left still reads",
         run_shift_left<true, 2>},
        {"shift_left_copied", Expected::clean, "what is read is never written", run_shift_left_copied},
        {"scan", Expected::clean, "a barrier before and after each step's writes",
         run_scan<Missing::nothing>},
        {"scan_no_barrier_before", Expected::race, "a thread writes what its neighbour still reads",
         run_scan<Missing::barrier_before_write>},
        {"scan_no_barrier_after", Expected::race, "the next step reads what this one still writes",
         run_scan<Missing::barrier_after_write>},
    });

}  // namespace
