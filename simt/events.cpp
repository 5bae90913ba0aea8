// Events: the host's time at which they were recorded. Every call before has completed by then.
#include <cuda_runtime.h>

#include <chrono>

struct SimtEvent {
    std::chrono::steady_clock::time_point recorded;
};

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = new SimtEvent;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    event->recorded = std::chrono::steady_clock::now();
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    *milliseconds = std::chrono::duration<float, std::milli>(end->recorded - start->recorded).count();
    return cudaSuccess;
}

}  // extern "C"
