// Memory that a stream allocates and frees in its order.
// Prints: 496 no error
// Counts: launches 1
#include <cstdio>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int *data, host[32], sum = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync(&data, sizeof(host), stream);
    fill<<<1, 32, 0, stream>>>(data);
    cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(data, stream);
    cudaStreamSynchronize(stream);
    for (const int each : host) sum += each;
    std::printf("%d %s\n", sum, cudaGetErrorString(cudaGetLastError()));
}
