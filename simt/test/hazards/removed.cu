// Races of the source that the optimised program does not have: the compiler has removed the accesses. The
// unoptimised program has them.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64;

/// The only value that is ever stored is known: nothing is stored, nothing loaded.
template <bool BARRIER>
__global__ void constant_payload(int* out) {
    __shared__ int payload;
    if (threadIdx.x == 32) payload = 5;
    __syncthreads();
    if (threadIdx.x == 0) payload = 5;
    if (BARRIER) __syncthreads();
    if (threadIdx.x == 32) *out = payload;
}

/// What is loaded does not matter.
template <bool BARRIER>
__global__ void unused_value(const int* in, int* out) {
    __shared__ int tile[THREADS];
    const int t = threadIdx.x;
    tile[t] = 0;
    __syncthreads();
    tile[t] = in[t];
    if (BARRIER) __syncthreads();
    const int other = tile[THREADS - 1 - t];
    if (other == in[t] && other != in[t]) out[t] = other;
    out[t] = tile[t];
}

/// What is stored is never loaded.
template <bool OWN>
__global__ void unused_store(int* out) {
    __shared__ int last[THREADS];
    const int t = threadIdx.x;
    last[OWN ? t : 0] = t;
    out[t] = t;
}

template <bool BARRIER>
std::string run_constant_payload() {
    return result_of(constant_payload<BARRIER>, 1, THREADS, {5}, zeros(1));
}

template <bool BARRIER>
std::string run_unused_value() {
    return result_of(unused_value<BARRIER>, 1, THREADS, some_values(THREADS), some_values(THREADS),
                     zeros(THREADS));
}

template <bool OWN>
std::string run_unused_store() {
    Device<int> out(zeros(THREADS));
    run(unused_store<OWN>, 1, THREADS, out.data());
    std::vector<int> expected;
    for (int t = 0; t < THREADS; ++t) expected.push_back(t);
    return difference(out.read(), expected);
}

const Bench removed(
    "removed by the compiler",
    {
        {"constant_payload", Expected::clean, "a barrier stands between", run_constant_payload<true>},
        {"constant_payload_no_barrier", Expected::race, "the payload may be read while it is set",
         run_constant_payload<false>},
        {"unused_value", Expected::clean, "a barrier stands between", run_unused_value<true>},
        {"unused_value_no_barrier", Expected::race, "another thread's element is read",
         run_unused_value<false>},
        {"unused_store", Expected::clean, "each thread has its own element", run_unused_store<true>},
        {"unused_store_of_all", Expected::race, "all threads store to one word", run_unused_store<false>},
    });

}  // namespace
