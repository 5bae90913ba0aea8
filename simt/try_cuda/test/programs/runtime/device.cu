// What programs ask of the device, events and streams: the device says that it is the SIMT machine.
// Prints: SIMT machine: 32 lanes, 1024 threads, cooperative 1, time 1
// Counts: launches 2
#include <cstdio>

__global__ void nothing() {}

#define CHECK(call)                                                               \
    do {                                                                          \
        const cudaError_t error = (call);                                         \
        if (error != cudaSuccess) return std::puts(cudaGetErrorString(error)), 1; \
    } while (0)

int main() {
    cudaDeviceProp properties;
    int count = 0, blocks = 0;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaSetDevice(count - 1));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0));
    cudaStream_t stream;
    cudaEvent_t start, stop;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreateWithFlags(&stop, cudaEventDefault));
    CHECK(cudaEventRecord(start, stream));
    nothing<<<1, 32, 0, stream>>>();
    nothing<<<blocks, 32, 0, stream>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaStreamSynchronize(stream));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    std::printf("%s: %d lanes, %d threads, cooperative %d, time %d\n", properties.name, properties.warpSize,
                properties.maxThreadsPerBlock, properties.cooperativeLaunch, milliseconds > 0);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
}
