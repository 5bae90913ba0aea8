// PyTorch, reduce_kernel (github.com/pytorch/pytorch/pull/162995): the reductions along y and along x use
// the same shared memory, and no barrier stands between the last read of the first and the first write of
// the second.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int X = 64, Y = 4, THREADS = X * Y;

template <bool CURED>
__global__ void sum_of_block(const int* in, int* out) {
    __shared__ int shared[THREADS];
    const int t = int(threadIdx.x), x = t % X, y = t / X;
    int value = in[t];
    shared[t] = value;
    for (int n = Y / 2; n > 0; n /= 2) {
        __syncthreads();
        if (y < n) {
            value += shared[t + n * X];  // fault
            shared[t] = value;
        }
    }
    if (CURED) __syncthreads();
    shared[t] = value;  // fault
    for (int n = X / 2; n > 0; n /= 2) {
        __syncthreads();
        if (x < n) {
            value += shared[t + n];
            shared[t] = value;
        }
    }
    if (t == 0) *out = value;
}

template <bool CURED>
std::string run() {
    return result_of(sum_of_block<CURED>, 1, THREADS, {THREADS}, ones(THREADS), zeros(1));
}

const Bench exhibit("shared memory again",
                    {{"pytorch_block_reduce", Expected::race, "no barrier between two reductions",
                      run<false>},
                     {"pytorch_block_reduce_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
