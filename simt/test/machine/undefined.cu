// Reads of what nobody has written, of which some decide nothing: simt/order/undefined.h. The argument says
// which kernel; those with a name on the right in test_undefined.py are wrong.
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>

/// The compiler may load 16 bytes at once and drop what is beyond n.
__global__ void guarded(const int* in, int* out, int n) {
    __shared__ __align__(16) int s[8];
    if (threadIdx.x < n) s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int most = s[0];
#pragma unroll
    for (int i = 1; i < 8; ++i)
        if (i < n && s[i] > most) most = s[i];
    out[threadIdx.x] = most;
}
__global__ void not_guarded(const int* in, int* out, int n) {
    __shared__ __align__(16) int s[8];
    if (threadIdx.x < n) s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += s[i];
    out[threadIdx.x] = sum;
}

__global__ void masked(const int* in, int* out, int) {
    __shared__ unsigned s[32];
    reinterpret_cast<unsigned char*>(s + threadIdx.x)[2] = static_cast<unsigned char>(in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = int((s[threadIdx.x] >> 16 & 0xff) * 3);
}

__global__ void chosen(const int*, int* out, int n) {
    __shared__ int s[32];
    if (threadIdx.x < n) s[threadIdx.x] = 1;
    __syncthreads();
    const int v = *(volatile int*)(s + threadIdx.x);
    out[threadIdx.x] = threadIdx.x < n ? 2 * v : 7;
}
__global__ void branches(const int*, int* out, int n) {
    __shared__ int s[32];
    if (threadIdx.x < n) s[threadIdx.x] = 1;
    __syncthreads();
    if (s[threadIdx.x] == 5) atomicAdd(out, 1);
}

__global__ void counters(const int* in, int* out, int n) {
    int count[16];
    for (int b = 0; b < n; ++b) count[b] = 0;
    for (int i = 0; i < 8; ++i) ++count[in[i] & 15];
    for (int b = 0; b < 16; ++b) atomicAdd(out + b, count[b]);
}
__device__ __noinline__ int last(const int* from, int size) { return from[size - 1]; }
__global__ void before_the_first(const int* in, int* out, int n) {
    int own[5];
    for (int i = 0; i < n; ++i) own[i] = in[i];
    out[threadIdx.x] = last(own, n);
}

/// Lanes 8 to 15 read from lanes that do not take part.
template <bool USED>
__global__ void tail_of_warp(const int* in, int* out, int) {
    if (threadIdx.x >= 16) return;
    const int x = in[threadIdx.x], y = __shfl_down_sync(0xffff, x, 8);
    out[threadIdx.x] = USED || threadIdx.x < 8 ? x + y : x;
}

/// The other half of the word is left alone, though all of it is compared and swapped.
__global__ void half_atomics(const int* in, int* out, int) {
    __shared__ __half s[64];
    s[2 * threadIdx.x] = __int2half_rn(in[threadIdx.x] & 7);
    __syncthreads();
    atomicAdd(s + 2 * (threadIdx.x / 2), __int2half_rn(1));
    __syncthreads();
    out[threadIdx.x] = __half2int_rn(s[2 * threadIdx.x]);
}

/// The compiler adds up the warp's values, and one lane adds the sum.
__global__ void added_up(const int*, int* out, int n) {
    __shared__ int s[32];
    if (threadIdx.x < n) s[threadIdx.x] = 1;
    __syncthreads();
    atomicAdd(out, s[threadIdx.x]);
}
/// Sums of shuffles, of which only the first lane's is used: it has all words in it, or the first 16.
__global__ void shuffled(const int*, int* out, int n) {
    __shared__ int s[32];
    if (threadIdx.x < 16) s[threadIdx.x] = 1;
    __syncthreads();
    int sum = s[threadIdx.x];
    for (int distance = n; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

int main(int, char** arguments) {
    const struct {
        void (*run)(const int*, int*, int);
        int n;
    } kernels[] = {{guarded, 3},          {not_guarded, 3},
                   {not_guarded, 8},      {masked, 0},
                   {chosen, 20},          {branches, 20},
                   {branches, 32},        {counters, 16},
                   {counters, 15},        {before_the_first, 3},
                   {before_the_first, 0}, {tail_of_warp<false>, 0},
                   {half_atomics, 0},     {tail_of_warp<true>, 0},
                   {added_up, 20},        {added_up, 32},
                   {shuffled, 16},        {shuffled, 8}};
    int words[32], *in, *out;
    for (int i = 0; i < 32; ++i) words[i] = i * 37 % 64 | 15;
    cudaMalloc(&in, sizeof(words));
    cudaMalloc(&out, sizeof(words));
    cudaMemcpy(in, words, sizeof(words), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(words));
    const auto& kernel = kernels[std::atoi(arguments[1])];
    kernel.run<<<1, 32>>>(in, out, kernel.n);
    return cudaDeviceSynchronize();
}
