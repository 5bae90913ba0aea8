// Launches a kernel of one block over words that are the same for all; of them kernel.py knows as much.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

using Word = unsigned long long;

inline Word mixed(Word x) {  // splitmix64
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

inline Word input(Word k) {
    const Word edges[] = {
#include "edges.inc"
    };
    const Word count = sizeof edges / sizeof *edges, h = mixed(k);
    const Word one = edges[(h >> 8) % count], other = edges[(h >> 24) % count];
    if (h % 4 == 0) return mixed(h);
    if (h % 4 == 1) return one;
    return h % 4 == 2 ? one % (1ull << 32) | other << 32 : mixed(h) >> (h >> 40) % 64;
}

inline void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

inline std::vector<Word> run(void (*kernel)(const Word*, Word*), int threads) {
    std::vector<Word> given(8 * threads), words(16 * threads);
    for (size_t k = 0; k < given.size(); k++) given[k] = input(k);
    Word *in, *out;
    check(cudaMalloc(&in, given.size() * sizeof(Word)));
    check(cudaMalloc(&out, words.size() * sizeof(Word)));
    check(cudaMemcpy(in, given.data(), given.size() * sizeof(Word), cudaMemcpyHostToDevice));
    check(cudaMemset(out, 0, words.size() * sizeof(Word)));
    kernel<<<1, threads>>>(in, out);
    check(cudaGetLastError());
    check(cudaMemcpy(words.data(), out, words.size() * sizeof(Word), cudaMemcpyDeviceToHost));
    check(cudaFree(in));
    check(cudaFree(out));
    return words;
}

/// The main() of a single kernel: status 1 and the words that are not as expected.
inline int compare(void (*kernel)(const Word*, Word*), int threads, const std::vector<Word>& expected) {
    check(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 14));
    const std::vector<Word> words = run(kernel, threads);
    int different = 0;
    for (size_t k = 0; k < words.size(); k++) {
        if (words[k] == expected[k]) continue;
        if (different++ < 8)
            std::printf("thread %zu, word %zu: %#llx, not %#llx\n", k / 16, k % 16, words[k], expected[k]);
    }
    std::printf("%d words are wrong\n", different);
    return different != 0;
}
