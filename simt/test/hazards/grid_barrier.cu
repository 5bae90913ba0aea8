// A barrier of the whole grid, built from an atomic counter. All blocks must be resident.
#include "simt/test/hazards/fences.h"
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64, BLOCKS = 4, STEPS = 3;
enum class Missing { nothing, barrier_before, barrier_after };

template <Fence RELEASE, Fence ACQUIRE, Missing MISSING>
__device__ void grid_barrier(int* arrived, int step) {
    if (MISSING != Missing::barrier_before) __syncthreads();
    if (threadIdx.x == 0) {
        fence<RELEASE>();
        atomicAdd(arrived, 1);
        while (*(volatile int*)arrived < BLOCKS * (step + 1)) {
        }
        fence<ACQUIRE>();
    }
    if (MISSING != Missing::barrier_after) __syncthreads();
}

/// Every step each element takes the value of its neighbour in the next block, plus one.
template <Fence RELEASE, Fence ACQUIRE, Missing MISSING>
__global__ void rotate(int* values, int* others, int* arrived) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    for (int step = 0; step < STEPS; ++step) {
        const int* const now = step % 2 ? others : values;
        int* const next = step % 2 ? values : others;
        next[i] = now[(i + THREADS) % (BLOCKS * THREADS)] + 1;
        grid_barrier<RELEASE, ACQUIRE, MISSING>(arrived, step);
    }
}

template <Fence RELEASE, Fence ACQUIRE, Missing MISSING = Missing::nothing>
std::string run_rotate() {
    constexpr int n = BLOCKS * THREADS;
    const std::vector<int> before = some_values(n);
    Device<int> values(before), others(zeros(n)), arrived(zeros(1));
    run(rotate<RELEASE, ACQUIRE, MISSING>, BLOCKS, THREADS, values.data(), others.data(), arrived.data());
    std::vector<int> after;
    for (int i = 0; i < n; ++i) after.push_back(before[(i + STEPS * THREADS) % n] + STEPS);
    return difference(others.read(), after);
}

constexpr Fence NONE = Fence::none, DEVICE = Fence::device;

const Bench grid_barriers(
    "grid barrier",
    {
        {"grid_barrier", Expected::clean, "barrier, fence, count, wait, fence, barrier",
         run_rotate<DEVICE, DEVICE>},
        {"grid_barrier_no_release", Expected::race, "the count may be seen before the elements",
         run_rotate<NONE, DEVICE>},
        {"grid_barrier_no_acquire", Expected::missing_acquire, "elements may be read before the count",
         run_rotate<DEVICE, NONE>},
        {"grid_barrier_no_barrier_before", Expected::race, "thread 0 arrives before others have written",
         run_rotate<DEVICE, DEVICE, Missing::barrier_before>},
        {"grid_barrier_no_barrier_after", Expected::race, "the others go on before thread 0 has waited",
         run_rotate<DEVICE, DEVICE, Missing::barrier_after>},
    });

}  // namespace
