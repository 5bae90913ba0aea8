// A histogram by atomics in shared memory, and kernel parameters that are structs.
// Prints: 256
// Counts: launches 1, barriers 2
#include <cstdio>

struct Bins {
    unsigned* counts;
    int number;
};

__global__ void __launch_bounds__(64)
    histogram(const unsigned char* __restrict__ in, int n, const Bins bins) {
    __shared__ unsigned local[8];
    if (threadIdx.x < 8) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&local[__ldg(in + i) % bins.number], 1);
    __syncthreads();
    if (threadIdx.x < bins.number) atomicAdd(bins.counts + threadIdx.x, local[threadIdx.x]);
}

int main() {
    unsigned char host[256], *in;
    for (int i = 0; i < 256; ++i) host[i] = i;
    Bins bins{nullptr, 8};
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&bins.counts, 8 * sizeof(unsigned));
    cudaMemset(bins.counts, 0, 8 * sizeof(unsigned));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    histogram<<<1, 64>>>(in, 256, bins);
    unsigned counts[8], sum = 0;
    cudaMemcpy(counts, bins.counts, sizeof(counts), cudaMemcpyDeviceToHost);
    for (unsigned each : counts) sum += each == 32 ? each : 1000;
    std::printf("%u\n", sum);
}
