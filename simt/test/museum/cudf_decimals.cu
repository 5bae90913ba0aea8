// cuDF, decode of ORC decimals (github.com/NVIDIA/cudf/pull/20044): thread 0 updates what is left to do in
// shared memory while others have yet to read it for this round. It has corrupted the data of a query.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 64, ROUNDS = 3;

template <bool CURED>
__global__ void decode(const int* in, int* out, int values) {
    __shared__ int left;
    const int t = int(threadIdx.x);
    if (t == 0) left = values;
    __syncthreads();
    for (int round = 0; round < ROUNDS; ++round) {
        const int taken = min(left, THREADS);  // fault
        out[round * THREADS + t] = t < taken ? in[round * THREADS + t] : 0;
        if (CURED) __syncthreads();
        if (t == 0) left -= taken;  // fault
        __syncthreads();
    }
}

template <bool CURED>
std::string run() {
    std::vector<int> expected = ones(ROUNDS * THREADS);
    for (int i = 2 * THREADS + 10; i < ROUNDS * THREADS; ++i) expected[i] = 0;
    return result_of(decode<CURED>, 1, THREADS, expected, ones(ROUNDS * THREADS), ones(ROUNDS * THREADS),
                     2 * THREADS + 10);
}

const Bench exhibit("shared memory again",
                    {{"cudf_decimals", Expected::race, "no barrier before the update", run<false>},
                     {"cudf_decimals_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
