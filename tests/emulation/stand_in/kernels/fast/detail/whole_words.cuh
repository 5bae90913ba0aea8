// Stand-in for kernels/fast/detail/whole_words: words that others see late, and in any order, until a fence.
#pragma once
#include <cuda_runtime.h>

/// 16 bytes that are read and written in one go.
struct alignas(16) WideWord {
    unsigned long long epoch, value;
};

/// Between turns of lanes nothing else happens, so a plain access is one in one go.
template <class Word>
Word read_word(const Word* from) {
    emulation::give_way();
    return *from;
}
inline void read_words(const unsigned long long* from, unsigned long long& first,
                       unsigned long long& second) {
    first = read_word(from);
    second = read_word(from + 1);
}
template <class Word>
void write_word(Word* to, Word word) {
    emulation::write_late(to, &word, sizeof(word));
    emulation::give_way();
}
inline void prefetch_word(const void*) {}
