// Integer atomics on shared memory: on one word, on few, on as many as lanes; by all lanes and by some.
#include <algorithm>

#include "simt/test/agreement/check.h"

__global__ void tally(const unsigned* in, unsigned* out) {
    __shared__ unsigned word[64];
    const int t = threadIdx.x;
    const unsigned x = in[global_thread()];
    if (t < 64) word[t] = t == 33 ? ~0u : 0;
    __syncthreads();
    atomicAdd(word + x % 32, 1u);
    atomicAdd(word + 32, x);
    atomicMin(word + 33, x);
    if (x & 4) atomicMax(word + 34, x);
    atomicXor(word + 35 + t % 4, x);
    atomicOr(word + 40, 1u << x % 32);
    atomicAdd(word + 41 + t % 16, x & 0xff);
    const unsigned old = atomicExch(word + 60 + (x & 0), 5u);
    if (old > 5) atomicInc(word + 61, 77);
    __syncthreads();
    if (t < 64) out[blockIdx.x * 64 + t] = word[t];
}

int main() {
    const int blocks = 2, n = blocks * 128;
    Array<unsigned> in(n, [](int i) { return random_word(i); }), out(blocks * 64);
    tally<<<blocks, 128>>>(in, out);
    std::vector<unsigned> want(blocks * 64);
    for (int block = 0; block < blocks; ++block) {
        unsigned* word = &want[block * 64];
        word[33] = ~0u;
        word[60] = 5;
        for (int t = 0; t < 128; ++t) {
            const unsigned x = in[block * 128 + t];
            word[x % 32] += 1;
            word[32] += x;
            word[33] = std::min(word[33], x);
            if (x & 4) word[34] = std::max(word[34], x);
            word[35 + t % 4] ^= x;
            word[40] |= 1u << x % 32;
            word[41 + t % 16] += x & 0xff;
        }
    }
    out.expect("words", [&](int i) { return want[i]; });
    return verdict();
}
