// kernels/relaxed_words for the SIMT machine, whose volatile accesses are single-copy atomic and order
// nothing.
#pragma once
#include <cuda_runtime.h>

enum class Scope { gpu, system };

template <Scope = Scope::gpu>
unsigned long long load_relaxed(const unsigned long long* from) {
    return *static_cast<const volatile unsigned long long*>(from);
}

template <Scope = Scope::gpu>
void store_relaxed(unsigned long long* to, unsigned long long word) {
    *static_cast<volatile unsigned long long*>(to) = word;
}

template <Scope SCOPE = Scope::gpu>
void load_relaxed_pair(const unsigned long long* from, unsigned long long& first,
                       unsigned long long& second) {
    first = load_relaxed<SCOPE>(from);
    second = load_relaxed<SCOPE>(from + 1);
}

template <Scope SCOPE = Scope::gpu>
void store_relaxed_pair(unsigned long long* to, unsigned long long first, unsigned long long second) {
    store_relaxed<SCOPE>(to, first);
    store_relaxed<SCOPE>(to + 1, second);
}

inline void prefetch_l2(const void*) {}
