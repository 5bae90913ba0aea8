// Block barriers: what one thread writes before __syncthreads(), every thread of the block may read after it,
// and what it reads before, every thread may write after.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64;
enum class Between { block_barrier, warp_barrier, nothing };

template <Between BETWEEN>
__device__ void synchronise() {
    if (BETWEEN == Between::block_barrier) __syncthreads();
    if (BETWEEN == Between::warp_barrier) __syncwarp();
}

/// Write, then read what another warp wrote.
template <Between BETWEEN>
__global__ void reverse(const int* in, int* out) {
    __shared__ int tile[THREADS];
    const int t = threadIdx.x;
    tile[t] = 0;
    __syncthreads();
    tile[t] = in[t];
    synchronise<BETWEEN>();
    out[t] = tile[THREADS - 1 - t];
}

template <Between BETWEEN>
std::string run_reverse() {
    return result_of(reverse<BETWEEN>, 1, THREADS, reversed(some_values(THREADS)), some_values(THREADS),
                     zeros(THREADS));
}

/// Every round another thread broadcasts a value. The second barrier keeps it until all have read it.
template <Between BETWEEN>
__global__ void broadcast(const int* in, int* out) {
    __shared__ int value;
    int sum = 0;
    for (int round = 0; round < 4; ++round) {
        if (int(threadIdx.x) == 20 * round) value = in[round];
        __syncthreads();
        sum += value;
        synchronise<BETWEEN>();
    }
    out[threadIdx.x] = sum;
}

template <Between BETWEEN>
std::string run_broadcast() {
    return result_of(broadcast<BETWEEN>, 1, THREADS, repeated(THREADS, 10), std::vector<int>{1, 2, 3, 4},
                     zeros(THREADS));
}

/// Which threads write `found`: all that found the value, with a plain or an atomic write.
enum class Write { plain, atomic };

template <Write WRITE>
__global__ void contains(const int* in, int value, int* out) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (in[threadIdx.x] == value) {
        if (WRITE == Write::plain) found = 1;
        if (WRITE == Write::atomic) atomicExch(&found, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = found;
}

template <Write WRITE>
std::string run_contains() {
    std::vector<int> values(THREADS, 5);
    values[3] = values[40] = 7;
    Device<int> in(values), out(zeros(1));
    run(contains<WRITE>, 1, THREADS, in.data(), 7, out.data());
    return difference(out.read(), {1});
}

/// All threads read one word.
__global__ void read_one_word(const int* in, int* out) {
    __shared__ int value;
    if (threadIdx.x == 0) value = *in;
    __syncthreads();
    out[threadIdx.x] = value + *in;
}

std::string run_read_one_word() {
    return result_of(read_one_word, 1, THREADS, repeated(THREADS, 42), repeated(1, 21), zeros(THREADS));
}

/// Atomic additions, then a plain read.
template <Between BETWEEN>
__global__ void count(int* out) {
    __shared__ int counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    atomicAdd(&counter, 1);
    synchronise<BETWEEN>();
    out[threadIdx.x] = counter;
}

template <Between BETWEEN>
std::string run_count() {
    return result_of(count<BETWEEN>, 1, THREADS, repeated(THREADS, THREADS), zeros(THREADS));
}

const Bench barriers(
    "block barrier",
    {
        {"barrier", Expected::clean, "a barrier stands between the writes and the reads",
         run_reverse<Between::block_barrier>},
        {"barrier_missing", Expected::race, "no barrier stands between the writes and the reads",
         run_reverse<Between::nothing>},
        {"barrier_of_a_warp", Expected::race, "__syncwarp orders one warp, and the reads cross to the other",
         run_reverse<Between::warp_barrier>},
        {"barrier_after_reads", Expected::clean, "a second barrier keeps the word until all have read it",
         run_broadcast<Between::block_barrier>},
        {"barrier_after_reads_missing", Expected::race, "the next round overwrites what others still read",
         run_broadcast<Between::nothing>},
        {"same_value_plain", Expected::same_value, "two threads write a word plainly, even if the same value",
         run_contains<Write::plain>},
        {"same_value_atomic", Expected::clean, "atomic writes do not race, and a barrier precedes the read",
         run_contains<Write::atomic>},
        {"read_read", Expected::clean, "reads do not race", run_read_one_word},
        {"atomics_then_read", Expected::clean, "a barrier stands between the atomics and the plain read",
         run_count<Between::block_barrier>},
        {"atomics_and_read", Expected::race, "a plain read races with other threads' atomics",
         run_count<Between::nothing>},
    });

}  // namespace
