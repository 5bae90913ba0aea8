// Launches that wait for long, but not for ever: for a flag that the last block sets, read in ways of which
// the machine does not know that they poll; for a warp that computes long and writes nothing meanwhile.
#include "simt/test/agreement/check.h"

constexpr int BLOCKS = 6, LONG = 1 << 22;

__device__ unsigned plainly_read(const unsigned* p) {
    unsigned word;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(p) : "memory");
    return word;
}

/// Each block waits for the next one, whose turn comes later.
template <class Read>
__device__ void wait_for_next(unsigned* flags, int* out, Read read) {
    if (threadIdx.x == 0) {
        while (blockIdx.x + 1 < gridDim.x && read(flags + blockIdx.x + 1) == 0) {
        }
        flags[blockIdx.x] = 1;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = int(threadIdx.x);
}
__global__ void wait_with_loads(unsigned* flags, int* out) { wait_for_next(flags, out, plainly_read); }
__global__ void wait_with_atomics(unsigned* flags, int* out) {
    wait_for_next(flags, out, [](unsigned* flag) { return atomicAdd(flag, 0); });
}

/// Who waits writes, too: the same word each time, and the number of its turns.
__global__ void wait_and_write(volatile unsigned* flags, unsigned* turns, int* out) {
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    do {
        __syncthreads();
        out[me] = int(threadIdx.x);
        if (threadIdx.x == 0) turns[blockIdx.x]++;
    } while (blockIdx.x + 1 < gridDim.x && flags[blockIdx.x + 1] == 0);
    if (threadIdx.x == 0) flags[blockIdx.x] = 1;
}

__device__ unsigned compute(unsigned x) {
    for (int k = 0; k < LONG; ++k) x = x * 1664525 + 1013904223 ^ x >> 7;
    return x;
}
unsigned computed(unsigned x) {
    for (int k = 0; k < LONG; ++k) x = x * 1664525 + 1013904223 ^ x >> 7;
    return x;
}
/// The first warp computes; one waits for its flag, the others at a barrier.
__global__ void wait_for_computation(unsigned* out) {
    __shared__ volatile unsigned flag, result;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x / 32 == 0) {
        const unsigned x = compute(threadIdx.x);
        if (threadIdx.x == 3) result = x, __threadfence_block(), flag = 1;
    } else if (threadIdx.x / 32 == 1) {
        while (flag == 0) {
        }
    }
    __syncthreads();
    out[threadIdx.x] = result;
}

int main() {
    Array<unsigned> flags(BLOCKS), more_flags(BLOCKS), results(128);
    Array<int> out(BLOCKS * 64), more(BLOCKS * 64);
    wait_with_loads<<<BLOCKS, 64>>>(flags, out);
    out.expect("loads", [](int i) { return i % 64; });
    wait_with_atomics<<<BLOCKS, 64>>>(more_flags, more);
    more.expect("atomics", [](int i) { return i % 64; });
    Array<unsigned> flags_again(BLOCKS), turns(BLOCKS);
    Array<int> again(BLOCKS * 64);
    wait_and_write<<<BLOCKS, 64>>>(flags_again, turns, again);
    again.expect("writes", [](int i) { return i % 64; });
    wait_for_computation<<<1, 128>>>(results);
    const unsigned want = computed(3);
    results.expect("computation", [&](int) { return want; });
    return verdict();
}
