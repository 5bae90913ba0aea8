// Shared memory of a size given at the launch, split into arrays of several types; and more than 48 KB of it.
#include "simt/test/agreement/check.h"

__global__ void split(const int* in, double* out, int n) {
    extern __shared__ double memory[];
    double* wides = memory;
    int* words = reinterpret_cast<int*>(wides + n);
    unsigned char* bytes = reinterpret_cast<unsigned char*>(words + n);
    const int t = threadIdx.x;
    wides[t] = in[global_thread()] / 4.0;
    words[n - 1 - t] = in[global_thread()];
    bytes[t * 3 % n] = static_cast<unsigned char>(in[global_thread()]);
    __syncthreads();
    out[global_thread()] = wides[(t + 1) % n] + words[t] + bytes[t];
}

__global__ void large(int* out, int words) {
    extern __shared__ int row[];
    for (int k = threadIdx.x; k < words; k += blockDim.x) row[words - 1 - k] = k;
    __syncthreads();
    int sum = 0;
    for (int k = threadIdx.x; k < words; k += blockDim.x * 16) sum += row[k];
    out[threadIdx.x] = sum;
}

int main() {
    const int n = 100;
    Array<int> in(2 * n, [](int i) { return int(random_word(i) % 1000); });
    Array<double> out(2 * n);
    split<<<2, n, n * (8 + 4 + 1)>>>(in, out, n);
    out.expect("split", [&](int i) {
        const int t = i % n, first = i - t;
        int from = 0;
        while (from * 3 % n != t) ++from;
        return in[first + (t + 1) % n] / 4.0 + in[first + n - 1 - t] + in[first + from] % 256;
    });
    const int words = 15000;
    ensure(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, words * 4),
           "cudaFuncSetAttribute");
    Array<int> sums(128);
    large<<<1, 128, words * 4>>>(sums, words);
    sums.expect("large", [&](int t) {
        int sum = 0;
        for (int k = t; k < words; k += 128 * 16) sum += words - 1 - k;
        return sum;
    });
    return verdict();
}
