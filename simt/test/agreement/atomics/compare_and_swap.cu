// Compare and swap in loops within one warp: every lane on its own word, and all lanes on one.
#include "simt/test/agreement/check.h"

__global__ void own_words(const unsigned* in, unsigned* words) {
    unsigned* word = words + global_thread();
    unsigned seen = *word, expected;
    do {
        expected = seen;
        seen = atomicCAS(word, expected, expected * 3 + in[global_thread()]);
    } while (seen != expected);
}

__global__ void one_word(const unsigned* in, unsigned* word) {
    unsigned seen = *word, expected;
    do {
        expected = seen;
        seen = atomicCAS(word, expected, expected + in[threadIdx.x]);
    } while (seen != expected);
}

__global__ void one_shared_word(const unsigned* in, unsigned* out) {
    __shared__ unsigned long long word;
    if (threadIdx.x == 0) word = 5;
    __syncwarp();
    if (threadIdx.x % 3 != 1) {
        unsigned long long seen = word, expected;
        do {
            expected = seen;
            seen = atomicCAS(&word, expected, expected + in[threadIdx.x]);
        } while (seen != expected);
    }
    __syncwarp();
    out[threadIdx.x] = static_cast<unsigned>(word);
}

int main() {
    Array<unsigned> in(64, [](int i) { return random_word(i); }), words(64, 7u);
    own_words<<<1, 64>>>(in, words);
    words.expect("own words", [&](int i) { return 21 + in[i]; });
    unsigned all = 1, some = 5;
    for (int i = 0; i < 32; ++i) all += in[i], some += i % 3 != 1 ? in[i] : 0;
    Array<unsigned> word(1, 1u), out(32);
    one_word<<<1, 32>>>(in, word);
    word.expect("one word", [&](int) { return all; });
    one_shared_word<<<1, 32>>>(in, out);
    out.expect("shared", [&](int) { return some; });
    return verdict();
}
