// Warps 0 and 1 read a word of shared memory, and warp 2 writes it. It waits for warp 1, which has read it
// first. What warp 1 learns of warp 0 after that, warp 2 does not. The argument says who else waits for whom.
#include <cuda_runtime.h>

#include <cstdlib>

enum class Waits { nobody, warp_1_for_0_afterwards, warp_1_for_0_before, all };

__device__ void wait_for(int barrier) { asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory"); }
__device__ void pass(int barrier) { asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory"); }

template <Waits WAITS>
__global__ void read_twice_and_write(int* out) {
    __shared__ int word;
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) word = 1;
    __syncthreads();
    if (warp < 2) out[threadIdx.x] = word;
    if (WAITS == Waits::warp_1_for_0_before && warp < 2) wait_for(1);
    if (WAITS == Waits::all) __syncthreads();
    if (warp == 1) pass(2);
    if (WAITS == Waits::warp_1_for_0_afterwards && warp < 2) wait_for(1);
    if (warp == 2 && WAITS != Waits::nobody) wait_for(2);
    if (threadIdx.x == 64) word = 2;
    __syncthreads();
    if (warp == 2) out[threadIdx.x] = word;
}

template <Waits WAITS>
int run() {
    int* out;
    cudaMalloc(&out, 96 * sizeof(int));
    read_twice_and_write<WAITS><<<1, 96>>>(out);
    return cudaDeviceSynchronize();
}

int main(int, char** argument) {
    switch (std::atoi(argument[1])) {
        case 0: return run<Waits::nobody>();
        case 1: return run<Waits::warp_1_for_0_afterwards>();
        case 2: return run<Waits::warp_1_for_0_before>();
        case 3: return run<Waits::all>();
    }
    return 1;
}
