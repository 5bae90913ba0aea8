// A graph: captured from a stream, then launched three times.
// Prints: 1 16
// Counts: launches 6
#include <cstdio>

__global__ void add(int* value, int what) { *value += what; }
__global__ void twice(int* value) { *value *= 2; }

int main() {
    int* value;
    cudaMalloc(&value, sizeof(int));
    cudaMemset(value, 0, sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    twice<<<1, 1, 0, stream>>>(value);
    add<<<1, 1, 0, stream>>>(value, 2);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t ready;
    const bool is_good = cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess;
    for (int i = 0; i < 3; i++) cudaGraphLaunch(ready, stream);
    int host = 0;
    cudaMemcpyAsync(&host, value, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d %d\n", is_good, host + 2);
}
