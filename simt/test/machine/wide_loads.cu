// A load of four words, of which the program uses some: compilers load 16 bytes where the source reads 12.
// What is not used need not have been written. The argument says which case.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

/// USED: words that are added up; SET: those that are written. AFTER: how the third is used after that.
enum class After { not_at_all, in_one_case };

template <unsigned USED, unsigned SET, After AFTER>
__global__ void add_words(int* words, int* out, int rounds) {
    int word[4], sum = 0;
    for (int k = 0; k < 4; ++k)
        if (SET >> k & 1) words[4 * threadIdx.x + k] = k + 1;
    asm volatile("ld.global.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                 : "l"(words + 4 * threadIdx.x)
                 : "memory");
    for (int k = 0; k < 4; ++k)
        if (USED >> k & 1) sum += word[k];
    out[threadIdx.x] = sum;
    for (int i = 0; i < rounds; ++i) out[threadIdx.x] += i * sum;
    if (AFTER != After::not_at_all && rounds > 2) out[threadIdx.x] += word[2] * rounds;
}

/// Two words of which nothing but a comparison is made.
template <bool SET>
__global__ void compare(const long long* words, int* out) {
    __shared__ long long own[32];
    if (SET) own[threadIdx.x] = words[threadIdx.x];
    __syncwarp();
    if (*static_cast<volatile long long*>(own + threadIdx.x) == -1) out[threadIdx.x] = 1;
}

template <bool SET>
int run_compare() {
    long long* words;
    int* out;
    cudaMalloc(&words, 32 * sizeof(long long));
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(words, 0, 32 * sizeof(long long));
    compare<SET><<<1, 32>>>(words, out);
    return cudaDeviceSynchronize();
}

struct Three {
    int a, b, c;
};
/// The last of 65 elements of 12 bytes begins at a multiple of 16: the compiler loads 16 bytes there, 4
/// of them beyond the block's shared memory. IS_WIDE: so does the source.
template <bool IS_WIDE>
__global__ void last_element(Three* elements) {
    __shared__ Three own[65];
    for (int i = threadIdx.x; i < 65; i += 32) own[i] = elements[i];
    __syncthreads();
    Three last = own[64];
    if (IS_WIDE)
        asm volatile("{.reg .s32 rest; ld.shared.v4.s32 {%0, %1, %2, rest}, [%3];}"
                     : "=r"(last.a), "=r"(last.b), "=r"(last.c)
                     : "r"(unsigned(__cvta_generic_to_shared(own + 64)))
                     : "memory");
    elements[threadIdx.x] = last;
}

template <bool IS_WIDE>
int run_last_element() {
    Three* elements;
    cudaMalloc(&elements, 65 * sizeof(Three));
    cudaMemset(elements, 0, 65 * sizeof(Three));
    last_element<IS_WIDE><<<1, 32>>>(elements);
    return cudaDeviceSynchronize() != cudaSuccess;
}

template <unsigned USED, unsigned SET, After AFTER = After::not_at_all>
int run() {
    int *words, *out;
    cudaMalloc(&words, 32 * 4 * sizeof(int));
    cudaMalloc(&out, 33 * sizeof(int));
    cudaMemset(out, 0, 33 * sizeof(int));
    add_words<USED, SET, AFTER><<<1, 32>>>(words, out, 2);
    return cudaDeviceSynchronize();
}

int main(int, char** argument) {
    switch (std::atoi(argument[1])) {
        case 0: return run<0b1111, 0b1111>();
        case 1: return run<0b1011, 0b1011>();                      // the third is neither set nor used
        case 2: return run<0b0110, 0b1110>();                      // nor is the first
        case 3: return run<0b1011, 0b1011, After::in_one_case>();  // the third might be used
        case 4: return run<0b0111, 0b1110>();                      // the first is used
        case 5: return run_compare<true>();
        case 6: return run_compare<false>();
        case 7: return run_last_element<false>();
        case 8: return run_last_element<true>();
    }
    return 1;
}
