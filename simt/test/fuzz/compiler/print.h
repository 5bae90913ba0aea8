// What the programs here share: a kernel of one thread for each pair of words, whose results are printed.
#pragma once
#include <cstdio>
#include <vector>

/// kernel(in, out, more..): thread t has in[2 * t] and in[2 * t + 1], and sets out[t].
template <class Kernel, class... More>
void print(Kernel kernel, const std::vector<unsigned>& words, More... more) {
    const unsigned threads = unsigned(words.size() / 2);
    std::vector<unsigned> results(threads);
    unsigned *in, *out;
    cudaMalloc(&in, words.size() * sizeof(unsigned));
    cudaMalloc(&out, threads * sizeof(unsigned));
    cudaMemcpy(in, words.data(), words.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    kernel<<<1, threads>>>(in, out, more...);
    cudaMemcpy(results.data(), out, threads * sizeof(unsigned), cudaMemcpyDeviceToHost);
    for (const unsigned result : results) std::printf("%x ", result);
    std::puts("");
}
