// The subset of CUDA that the kernels under test use, for the emulator. Any other use does not compile.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tests/emulation/emulator/lane.h"
#include "tests/emulation/stand_in/cuda_host.h"

#define __CUDA_ARCH__ 900
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __grid_constant__
#define __shared__ thread_local  // each block has a thread of the CPU to itself
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

struct uint3 {
    unsigned x, y, z;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
extern thread_local uint3 threadIdx, blockIdx, blockDim, gridDim;
using std::max;
using std::min;

inline void __syncthreads() { emulation::sync_block(); }
inline void __syncwarp() { emulation::sync_warp(0); }
inline void __threadfence() { emulation::fence(); }

template <class T>
T __shfl_sync(unsigned, T value, int source) {
    return static_cast<T>(emulation::sync_warp(value)[source & 31]);
}
template <class T>
T __shfl_up_sync(unsigned, T value, unsigned delta) {
    const unsigned lane = threadIdx.x % 32;
    return static_cast<T>(emulation::sync_warp(value)[lane >= delta ? lane - delta : lane]);
}
template <class T>
T __shfl_down_sync(unsigned, T value, unsigned delta) {
    const unsigned lane = threadIdx.x % 32;
    return static_cast<T>(emulation::sync_warp(value)[lane + delta < 32 ? lane + delta : lane]);
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
    return static_cast<T>(emulation::sync_warp(value)[threadIdx.x % 32 ^ (mask & 31)]);
}
inline unsigned __ballot_sync(unsigned, bool vote) {
    const std::uint64_t* const votes = emulation::sync_warp(vote);
    unsigned ballot = 0;
    for (int lane = 0; lane < 32; ++lane) ballot |= static_cast<unsigned>(votes[lane]) << lane;
    return ballot;
}
inline int __any_sync(unsigned lanes, bool vote) { return __ballot_sync(lanes, vote) != 0; }
inline int __all_sync(unsigned lanes, bool vote) { return __ballot_sync(lanes, vote) == 0xffffffffu; }

inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline unsigned __funnelshift_r(unsigned low, unsigned high, int bits) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (bits & 31));
}

inline unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
    emulation::yield();
    const unsigned long long old = *address;
    *address = old + value;
    emulation::note_progress();
    emulation::yield();
    return old;
}
