// Relaxed accesses to 64-bit words of global memory. They are single-copy atomic: a reader sees a write in
// full or not at all. They order no other access. Source: NVIDIA, PTX ISA, "Memory consistency model", "ld"
// and "st" (.relaxed), "prefetch".
#pragma once
#include <cuda_runtime.h>

namespace trial {

/// Which threads may write the words concurrently: those of this GPU, or those of any GPU of the host.
enum class Scope { gpu, system };

template <Scope SCOPE = Scope::gpu>
__device__ unsigned long long load_relaxed(const unsigned long long* from) {
    unsigned long long word;
    if constexpr (SCOPE == Scope::gpu)
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    else
        asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    return word;
}

template <Scope SCOPE = Scope::gpu>
__device__ void store_relaxed(unsigned long long* to, unsigned long long word) {
    if constexpr (SCOPE == Scope::gpu)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
    else
        asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

/// Two adjacent words in one instruction, each single-copy atomic. Addresses are multiples of 16 bytes.
template <Scope SCOPE = Scope::gpu>
__device__ void load_relaxed_pair(const unsigned long long* from, unsigned long long& first,
                                  unsigned long long& second) {
    if constexpr (SCOPE == Scope::gpu)
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(first), "=l"(second)
                     : "l"(from)
                     : "memory");
    else
        asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(first), "=l"(second)
                     : "l"(from)
                     : "memory");
}

template <Scope SCOPE = Scope::gpu>
__device__ void store_relaxed_pair(unsigned long long* to, unsigned long long first,
                                   unsigned long long second) {
    if constexpr (SCOPE == Scope::gpu)
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(first), "l"(second)
                     : "memory");
    else
        asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(first), "l"(second)
                     : "memory");
}

/// Prefetch the word's line into the L2 cache.
__device__ inline void prefetch_l2(const void* word) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(word) : "memory");
}

}  // namespace trial
