// Who is together behind calls by pointer, branches and loops in which some lanes let others go first, as a
// GPU has it (instructions/warps/convergence.cpp): by YIELD, which nvcc writes into functions with atomics
// and into loops that poll, or NANOSLEEP. They stay apart from those that wait for them at the BSYNC.
//
// Prints for each launch the groups of lanes, each as a mask.
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

constexpr int LANES = 32;
__shared__ int numbers[LANES];
__shared__ __half2 halves[LANES];
__device__ int far_numbers[LANES];

using Function = int (*)(int);
__device__ __noinline__ int nothing(int) { return 7; }
__device__ __noinline__ int loops(int a) {
    int sum = a;
    for (int k = 0; k <= (a & 7); ++k) sum = sum * 3 + k;
    return sum;
}
__device__ __noinline__ int loops_long(int a) {
    int sum = a;
    for (int k = 0; k < 20000; ++k) sum = sum * 3 + k;
    return sum;
}
__device__ __noinline__ int stores(int a) {
    numbers[threadIdx.x] = a;
    return numbers[threadIdx.x] + 1;
}
__device__ __noinline__ int adds(int a) { return atomicAdd(&numbers[threadIdx.x], a); }
__device__ __noinline__ int adds_far(int a) { return atomicAdd(&far_numbers[threadIdx.x], a); }
__device__ __noinline__ int adds_halves(int a) {
    return __half2int_rn(__low2half(atomicAdd(&halves[threadIdx.x], __floats2half2_rn(float(a & 15), 1.f))));
}
__device__ __noinline__ int sleeps(int) {
    __nanosleep(100);
    return 1;
}
__device__ Function const functions[] = {nothing, loops,    loops_long,  stores,
                                         adds,    adds_far, adds_halves, sleeps};
constexpr int FUNCTIONS = 8, YIELDING = 4;  // the first that does

__device__ __forceinline__ void clear() {
    numbers[threadIdx.x] = 0;
    halves[threadIdx.x] = {};
    __syncthreads();
}
__global__ void behind_call(const int* which, unsigned* together, int* out) {
    clear();
    const int t = threadIdx.x, result = functions[which[t]](t);
    together[t] = __activemask();
    out[t] = result;
}
__global__ void behind_branch(const int* which, unsigned* together, int*) {
    if (which[threadIdx.x] & 1) __nanosleep(20);
    together[threadIdx.x] = __activemask();
}
__global__ void behind_loop(const int* which, unsigned* together, int*) {
    for (int k = 0; k < which[threadIdx.x]; ++k) __nanosleep(20);
    together[threadIdx.x] = __activemask();
}
/// Eight words for 32 lanes: of those at a word one succeeds at a time.
__global__ void behind_exchanges(const int* which, unsigned* together, int*) {
    clear();
    int* const word = numbers + threadIdx.x % 8;
    for (int old = 0, seen = 1; seen != old;) {
        seen = old;
        old = atomicCAS(word, seen, seen * 3 + 1 + which[threadIdx.x]);
    }
    together[threadIdx.x] = __activemask();
}
__global__ void behind_lock(const int* which, unsigned* together, int*) {
    clear();
    for (bool done = false; !done;)
        if (atomicCAS(numbers, 0, 1) == 0) {
            __threadfence_block();
            numbers[1] += which[threadIdx.x];
            __threadfence_block();
            atomicExch(numbers, 0);
            done = true;
        }
    together[threadIdx.x] = __activemask();
}

int main() {
    int *which, *out;
    unsigned* together;
    cudaMalloc(&which, LANES * sizeof(int));
    cudaMalloc(&together, LANES * sizeof(unsigned));
    cudaMalloc(&out, LANES * sizeof(int));
    const auto print = [&](const char* name, auto kernel, auto of_lane) {
        int chosen[LANES];
        unsigned found[LANES];
        for (int l = 0; l < LANES; ++l) chosen[l] = of_lane(l);
        cudaMemcpy(which, chosen, sizeof chosen, cudaMemcpyHostToDevice);
        kernel<<<1, LANES>>>(which, together, out);
        if (cudaMemcpy(found, together, sizeof found, cudaMemcpyDeviceToHost) != cudaSuccess) std::exit(1);
        std::printf("%s:", name);
        for (const unsigned group : std::set<unsigned>(found, found + LANES)) std::printf(" %08x", group);
        std::puts("");
    };
    for (int pattern = 0; pattern < 3; ++pattern) {
        const auto is_second = [=](int l) {
            return pattern == 0 ? l % 2 == 1 : pattern == 1 ? l < 16 : (l * 2654435761u >> 13) % 2 == 1;
        };
        for (int second = 1; second < FUNCTIONS; ++second)
            for (int first = 0; first < YIELDING && first != second; ++first)
                print(("call of " + std::to_string(first) + " or " + std::to_string(second)).c_str(),
                      behind_call, [=](int l) { return is_second(l) ? second : first; });
        print("branch", behind_branch, [=](int l) { return int(is_second(l)); });
        print("loop", behind_loop, [=](int l) { return (l + 3 * is_second(l)) % 7; });
        print("exchanges", behind_exchanges, [=](int l) { return l + is_second(l); });
        print("lock", behind_lock, [=](int l) { return l + is_second(l); });
    }
    return 0;
}
