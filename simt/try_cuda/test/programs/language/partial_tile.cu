// A tile that is not full goes through shared memory: what no thread has set is copied, and not used.
// Prints: 1275
// Counts: launches 1
#include <cstdio>

__global__ void exchange(const int* in, int* out, int n) {
    __shared__ int tile[64];
    int own[2];
    for (int k = 0; k < 2; ++k)
        if (2 * threadIdx.x + k < n) own[k] = in[2 * threadIdx.x + k];
    for (int k = 0; k < 2; ++k) tile[2 * threadIdx.x + k] = own[k];
    __syncthreads();
    for (int k = 0; k < 2; ++k) own[k] = tile[threadIdx.x + 32 * k];
    for (int k = 0; k < 2; ++k)
        if (threadIdx.x + 32 * k < n) out[threadIdx.x + 32 * k] = own[k] + 1;
}

int main() {
    constexpr int N = 50;
    int *in, *out, host[N], sum = 0;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    for (int i = 0; i < N; ++i) host[i] = i;
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    exchange<<<1, 32>>>(in, out, N);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (const int each : host) sum += each;
    std::printf("%d\n", sum);
}
