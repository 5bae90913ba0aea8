// Reduction by threads that own w consecutive 16-byte words of a tile in shared memory: which banks conflict?
//
//     thread          0             1             2                    w words each
//     its word k      k             w + k         2 w + k              16 bytes: 4 of the 32 banks
//     bank group      k mod 8       (w + k) mod 8 (2 w + k) mod 8      one of 8
//
// The lanes of a warp read words at a stride of w, which touch 8 / gcd(w, 8) of the 8 bank groups. A request
// of 32 words therefore takes 4 gcd(w, 8) wavefronts: 4, the minimum, for odd w; 32 for w = 8. Padding is
// unnecessary where w itself can be odd: fast/detail/scan_ring.
//
// n elements, P a word: n / (32 P) requests to read and as many to write; the writes are free of conflicts.
// Work: n - (number of threads). Source: the padding of Harris, Sengupta and Owens, GPU Gems 3, ch. 39, 2007,
// for words; ours.
#pragma once
#include <cuda_runtime.h>

#include <cstring>

namespace trial {

/// in: whole tiles of THREADS * WORDS words, at a multiple of 16 bytes. out: the sum of each thread's words,
/// one element a thread. Grid: one block of THREADS threads for each tile.
template <int WORDS, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS) reduce_words(const T* in, T* out, Op op) {
    using Word = unsigned __int128;  // a single access on the GPU and on the SIMT machine
    constexpr int PER_WORD = sizeof(Word) / sizeof(T);
    __shared__ Word tile[WORDS * THREADS];
    const auto* const from = reinterpret_cast<const Word*>(in) + 1LL * blockIdx.x * WORDS * THREADS;
#pragma unroll
    for (int k = 0; k < WORDS; ++k) tile[k * THREADS + threadIdx.x] = from[k * THREADS + threadIdx.x];
    __syncthreads();

    T sum = {};
#pragma unroll
    for (int k = 0; k < WORDS; ++k) {
        const Word word = tile[threadIdx.x * WORDS + k];
        T items[PER_WORD];
        memcpy(items, &word, sizeof(word));
#pragma unroll
        for (int j = 0; j < PER_WORD; ++j) sum = k + j == 0 ? items[0] : op(sum, items[j]);
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

}  // namespace trial
