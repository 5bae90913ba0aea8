// Stand-in for kernels/relaxed_words: without a fence, words become visible late and in any order.
#pragma once
#include <cuda_runtime.h>

enum class Scope { gpu, system };

/// Lanes switch only at calls of the emulator, so a plain access is single-copy atomic.
template <Scope = Scope::gpu>
unsigned long long load_relaxed(const unsigned long long* from) {
    emulation::yield();
    return *from;
}

template <Scope = Scope::gpu>
void store_relaxed(unsigned long long* to, unsigned long long word) {
    emulation::write_late(to, &word, sizeof(word));
    emulation::yield();
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
