// Two launches on two streams, ordered by an event or by nothing: do their blocks begin by turns?
#include <cstdio>
#include <cstdlib>

constexpr int BLOCKS = 64;

__global__ void enter(int launch, int* places, int* who) {
    if (threadIdx.x == 0) who[atomicAdd(places, 1)] = launch;
}

int main(int, char** arguments) {
    const bool is_ordered = std::atoi(arguments[1]) != 0;
    int *places, who[2 * BLOCKS], *on_device;
    cudaMalloc(&places, sizeof(int));
    cudaMalloc(&on_device, sizeof(who));
    cudaMemset(places, 0, sizeof(int));
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEvent_t first;
    cudaEventCreate(&first);
    cudaDeviceSynchronize();
    enter<<<BLOCKS, 32, 0, streams[0]>>>(1, places, on_device);
    cudaEventRecord(first, streams[0]);
    if (is_ordered) cudaStreamWaitEvent(streams[1], first);
    enter<<<BLOCKS, 32, 0, streams[1]>>>(2, places, on_device);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(who, on_device, sizeof(who), cudaMemcpyDeviceToHost);
    int changes = 0, sum = who[0];
    for (int k = 1; k < 2 * BLOCKS; ++k) changes += who[k] != who[k - 1], sum += who[k];
    if (sum != 3 * BLOCKS) return 1;
    std::puts(changes == 1 ? "apart" : "in turns");
}
