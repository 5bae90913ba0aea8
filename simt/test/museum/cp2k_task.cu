// CP2K, grid backend (github.com/cp2k/cp2k/pull/5437): one warp puts the next task into shared memory while
// the other may still compute with this one.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 64, TASKS = 3;

template <bool CURED>
__global__ void do_tasks(const int* factors, int* out) {
    __shared__ int factor;
    int sum = 0;
    for (int task = 0; task < TASKS; ++task) {
        if (threadIdx.x == 0) factor = factors[task];  // fault
        __syncthreads();
        const int mine = factor;  // fault
        for (int i = 0; i < 4; ++i) sum += mine * (int(threadIdx.x) + i);
        if (CURED) __syncthreads();
    }
    out[threadIdx.x] = sum;
}

template <bool CURED>
std::string run() {
    std::vector<int> expected;
    for (int t = 0; t < THREADS; ++t) expected.push_back((1 + 2 + 3) * (4 * t + 6));
    return result_of(do_tasks<CURED>, 1, THREADS, expected, std::vector<int>{1, 2, 3}, zeros(THREADS));
}

const Bench exhibit("shared memory again",
                    {{"cp2k_task", Expected::race, "no barrier before the next task", run<false>},
                     {"cp2k_task_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
