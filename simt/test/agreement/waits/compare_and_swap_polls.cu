// Compare and swap in loops by several warps and blocks on the same words: how often they fail depends on
// timing.
#include "simt/test/agreement/check.h"

__global__ void contended(const unsigned* in, unsigned* words) {
    unsigned* word = words + threadIdx.x % 4;
    unsigned seen = *word, expected;
    do {
        expected = seen;
        seen = atomicCAS(word, expected, expected + in[global_thread()]);
    } while (seen != expected);
}

// What has no instruction of its own in shared memory is a loop, too: sums of 64 bits.
__global__ void contended_longs(const unsigned* in, unsigned long long* out) {
    __shared__ unsigned long long sum, most;
    if (threadIdx.x == 0) sum = most = 0;
    __syncthreads();
    const unsigned long long x = static_cast<unsigned long long>(in[global_thread()]) << 8;
    atomicAdd(&sum, x);
    if (threadIdx.x % 2 == 0) atomicMax(&most, x);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum ^ most;
}

__global__ void contended_floats(const unsigned* in, float* out) {
    __shared__ float sum;
    __shared__ double wide;
    if (threadIdx.x == 0) sum = 0, wide = 0;
    __syncthreads();
    atomicAdd(&sum, static_cast<float>(in[global_thread()] % 64));
    atomicAdd(&wide, static_cast<double>(in[global_thread()] % 64));
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum + static_cast<float>(wide);
}

int main() {
    Array<unsigned> in(256, [](int i) { return random_word(i); }), words(4);
    contended<<<2, 128>>>(in, words);
    words.expect("words", [&](int w) {
        unsigned sum = 0;
        for (int i = w; i < 256; i += 4) sum += in[i];
        return sum;
    });
    Array<float> sums(2);
    contended_floats<<<2, 128>>>(in, sums);
    sums.expect("sums", [&](int block) {
        int sum = 0;
        for (int i = 0; i < 128; ++i) sum += in[block * 128 + i] % 64;
        return 2 * sum;
    });
    Array<unsigned long long> longs(2);
    contended_longs<<<2, 128>>>(in, longs);
    longs.expect("longs", [&](int block) {
        unsigned long long sum = 0, most = 0;
        for (int i = 0; i < 128; ++i) {
            const unsigned long long x = static_cast<unsigned long long>(in[block * 128 + i]) << 8;
            sum += x;
            if (i % 2 == 0 && x > most) most = x;
        }
        return sum ^ most;
    });
    return verdict();
}
