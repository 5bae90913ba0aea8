// Words of 8 and of 16 bytes in global memory that running blocks read and write in one go: a reader sees all
// of one write or nothing of it. They order no other access. Source: NVIDIA, PTX ISA, "ld", "st" (.relaxed,
// .b128 from sm_70 on), "prefetch".
#pragma once
#include <cuda_runtime.h>

/// 16 bytes that are read and written in one go.
struct alignas(16) WideWord {
    unsigned long long epoch, value;
};

__device__ inline unsigned long long read_word(const unsigned long long* from) {
    unsigned long long word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    return word;
}
/// Two neighbours at a time, each in one go; `from` at a multiple of 16 bytes.
__device__ inline void read_words(const unsigned long long* from, unsigned long long& first,
                                  unsigned long long& second) {
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(first), "=l"(second)
                 : "l"(from)
                 : "memory");
}
__device__ inline void write_word(unsigned long long* to, unsigned long long word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}
__device__ inline WideWord read_word(const WideWord* from) {
    WideWord word;
    asm volatile(
        "{\n\t.reg .b128 whole;\n\tld.relaxed.gpu.global.b128 whole, [%2];\n\t"
        "mov.b128 {%0, %1}, whole;\n\t}"
        : "=l"(word.epoch), "=l"(word.value)
        : "l"(from)
        : "memory");
    return word;
}
__device__ inline void write_word(WideWord* to, WideWord word) {
    asm volatile(
        "{\n\t.reg .b128 whole;\n\tmov.b128 whole, {%1, %2};\n\t"
        "st.relaxed.gpu.global.b128 [%0], whole;\n\t}" ::"l"(to),
        "l"(word.epoch), "l"(word.value)
        : "memory");
}

/// Have a word brought to the L2 cache.
__device__ inline void prefetch_word(const void* word) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(word) : "memory");
}
