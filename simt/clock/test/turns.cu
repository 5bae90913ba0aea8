// In which order the warps of one multiprocessor have their turns, and how what they share divides among
// them: cycles of a step of the warp that is through first, and of all, by their own clocks.
//
//     turns MULTIPROCESSORS     prints step,threads,blocks,first,all
//
// threads: of a block; blocks: on each multiprocessor. What is printed is of that which block 0 is on.
// MULTIPROCESSORS: the GPU's; 1: all blocks are on one, as on the SIMT machine with a table that has one.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda_runtime.h"

namespace {

constexpr int STEPS = 8, ROUNDS = 64;  // steps in a row, and how often

void ensure(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "turns: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

struct Lane {
    float a, b;
    unsigned at;  // of its own word in shared memory
};

struct Loads {
    static constexpr const char* NAME = "load";
    __device__ static void step(Lane& lane) {
        float loaded;
        asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(loaded) : "r"(lane.at));
        lane.a += loaded;
    }
};
struct Stores {
    static constexpr const char* NAME = "store";
    __device__ static void step(Lane& lane) {
        asm volatile("st.volatile.shared.f32 [%1], %0;" ::"f"(lane.a), "r"(lane.at));
    }
};
struct Barriers {
    static constexpr const char* NAME = "barrier";
    __device__ static void step(Lane&) { asm volatile("bar.sync 0;" ::: "memory"); }
};
/// A step of a scan in place.
struct Scan {
    static constexpr const char* NAME = "scan";
    __device__ static void step(Lane& lane) {
        Lane next = {lane.b, 0, lane.at + 128}, sum = lane;
        Loads::step(lane), Loads::step(next), lane.b = next.a;
        Barriers::step(lane);
        sum.a = lane.a + lane.b;
        Stores::step(sum);
        Barriers::step(lane);
    }
};
/// Each needs the one before, four cycles later.
struct Chain {
    static constexpr const char* NAME = "chain";
    __device__ static void step(Lane& lane) {
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(lane.a) : "f"(lane.b));
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(lane.a) : "f"(lane.b));
    }
};
/// Of a unit that takes one every second cycle.
struct Shifts {
    static constexpr const char* NAME = "shift";
    __device__ static void step(Lane& lane) {
        asm volatile(
            "{.reg .b32 x, y; mov.b32 x, %0; mov.b32 y, %1; shf.l.wrap.b32 x, x, y, 7; mov.b32 %0, x;}"
            : "+f"(lane.a)
            : "f"(lane.b));
        asm volatile(
            "{.reg .b32 x, y; mov.b32 x, %0; mov.b32 y, %1; shf.l.wrap.b32 x, x, y, 7; mov.b32 %0, x;}"
            : "+f"(lane.b)
            : "f"(lane.a));
    }
};

__device__ unsigned cycle() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}

struct Turn {
    unsigned multiprocessor, begins, ends;
};

template <class Step>
__global__ void take_turns(Turn* turns, float* out, int rounds) {
    extern __shared__ float words[];
    for (unsigned k = threadIdx.x; k < blockDim.x + 32; k += blockDim.x) words[k] = 0;
    Lane lane = {0, 0, unsigned(__cvta_generic_to_shared(words + threadIdx.x))};
    __syncthreads();
    const unsigned begins = cycle();
    __syncthreads();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < STEPS; ++k) Step::step(lane);
    const unsigned ends = cycle();
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    if (threadIdx.x % 32 == 0)
        turns[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {multiprocessor, begins, ends};
    if (lane.a + lane.b == 12345.678f) *out = lane.a;
}

template <class Step>
void run(unsigned multiprocessors, unsigned threads, unsigned blocks) {
    const std::size_t warps = std::size_t(multiprocessors) * blocks * threads / 32;
    Turn* turns;
    float* out;
    ensure(cudaMalloc(&turns, warps * sizeof(Turn))), ensure(cudaMalloc(&out, sizeof(float)));
    ensure(cudaFuncSetAttribute(take_turns<Step>, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    for (int k = 0; k < 2; ++k)  // the first one loads the code
        take_turns<Step>
            <<<multiprocessors * blocks, threads, (threads + 32) * sizeof(float)>>>(turns, out, ROUNDS);
    std::vector<Turn> all(warps);
    ensure(cudaMemcpy(all.data(), turns, warps * sizeof(Turn), cudaMemcpyDeviceToHost));
    ensure(cudaFree(turns)), ensure(cudaFree(out));
    const Turn zero = all[0];
    unsigned first = ~0u, last = 0;  // since block 0 began, which may not be the first to
    int earliest = 0;
    for (const Turn& turn : all) {
        if (multiprocessors > 1 && turn.multiprocessor != zero.multiprocessor) continue;
        first = std::min(first, turn.ends - turn.begins);
        earliest = std::min(earliest, int(turn.begins - zero.begins));
        last = std::max(last, turn.ends - zero.begins);
    }
    const double steps = STEPS * ROUNDS;
    std::printf("%s,%u,%u,%.2f,%.2f\n", Step::NAME, threads, blocks, first / steps,
                (last - earliest) / steps);
}

template <class Step>
void run_all(unsigned multiprocessors) {
    run<Step>(multiprocessors, 256, 1);
    run<Step>(multiprocessors, 1024, 1);
    run<Step>(multiprocessors, 1024, 2);
    run<Step>(multiprocessors, 512, 4);
    run<Step>(multiprocessors, 128, 16);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return std::fprintf(stderr, "usage: turns MULTIPROCESSORS\n"), 2;
    const auto multiprocessors = unsigned(std::atoi(arguments[1]));
    run_all<Loads>(multiprocessors), run_all<Stores>(multiprocessors), run_all<Barriers>(multiprocessors);
    run_all<Scan>(multiprocessors), run_all<Chain>(multiprocessors), run_all<Shifts>(multiprocessors);
}
