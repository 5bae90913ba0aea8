// Streams and events: what every call of the runtime returns.
#include "simt/test/machine/runtime.h"

__global__ void poll(volatile int* flag, int* out) {
    while (*flag == 0) {
    }
    *out = *flag;
}
__global__ void set(volatile int* flag, int value) { *flag = value; }

namespace {

cudaStream_t stream, second;
cudaEvent_t start, stop;

void CUDART_CB count(void* calls) { ++*static_cast<int*>(calls); }
void CUDART_CB callback(cudaStream_t, cudaError_t error, void* calls) {
    *static_cast<int*>(calls) += 10 + error;
}

void streams() {
    SAY(cudaStreamCreate(&stream));
    SAY(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    SAY(cudaStreamCreateWithFlags(&second, 77));
    LAST();
    SAY(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    unsigned flags;
    SAY(cudaStreamGetFlags(second, &flags));
    std::printf("   flags %u\n", flags);
    int priority;
    SAY(cudaStreamGetPriority(stream, &priority));
    std::printf("   priority %d\n", priority);
    int lo, hi;
    SAY(cudaDeviceGetStreamPriorityRange(&lo, &hi));
    std::printf("   %d %d\n", lo, hi);
    SAY(cudaStreamQuery(stream));
    SAY(cudaStreamQuery(0));
    SAY(cudaStreamSynchronize(cudaStreamPerThread));
    SAY(cudaStreamSynchronize(cudaStreamLegacy));
}

void events() {
    cudaEvent_t untimed;
    SAY(cudaEventCreate(&start));
    SAY(cudaEventCreate(&stop));
    SAY(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    float milliseconds;
    SAY(cudaEventElapsedTime(&milliseconds, start, stop));
    LAST();
    SAY(cudaEventQuery(start));
    SAY(cudaEventSynchronize(start));
    SAY(cudaEventRecord(start, stream));
    twice<<<4, 256, 0, stream>>>(data, 1000);
    SAY(cudaEventRecord(stop, stream));
    SAY(cudaEventRecord(untimed, stream));
    SAY(cudaEventSynchronize(untimed));
    SAY(cudaEventElapsedTime(&milliseconds, start, stop));
    std::printf("   positive %d\n", milliseconds > 0);
    SAY(cudaEventElapsedTime(&milliseconds, start, untimed));
    LAST();
    SAY(cudaStreamWaitEvent(second, untimed, 0));
    SAY(cudaEventQuery(untimed));
    SAY(cudaEventDestroy(untimed));
    LAST();
}

void callbacks() {
    int calls = 0;
    SAY(cudaLaunchHostFunc(stream, count, &calls));
    SAY(cudaStreamAddCallback(stream, callback, &calls, 0));
    SAY(cudaStreamSynchronize(stream));
    std::printf("   calls %d\n", calls);
}

void launches_that_wait() {
    int* flag;
    SAY(cudaHostAlloc(&flag, 64, cudaHostAllocMapped));
    flag[0] = 0;
    SAY(cudaMemset(more, 0, 256));
    set<<<1, 1>>>(more, 0);  // while a kernel waits, no other can be loaded for the first time
    poll<<<1, 32, 0, second>>>(flag, more);
    LAST();
    SAY(cudaStreamQuery(second));
    LAST();
    SAY(cudaEventRecord(start, second));
    SAY(cudaEventQuery(start));
    twice<<<1, 1, 0, second>>>(more, 1);
    SAY(cudaStreamQuery(stream));
    flag[0] = 11;
    SAY(cudaStreamSynchronize(second));
    SAY(cudaEventQuery(start));
    show("polled", more, 1);

    flag[0] = 0;
    poll<<<1, 32, 0, second>>>(flag, more);
    set<<<1, 1, 0, stream>>>(flag, 5);
    SAY(cudaStreamWaitEvent(stream, start, 0));
    SAY(cudaDeviceSynchronize());
    show("polled", more, 1);

    flag[0] = 0;
    poll<<<1, 32, 0, second>>>(flag, more);
    SAY(cudaEventRecord(start, second));
    SAY(cudaStreamWaitEvent(stream, start, 0));
    twice<<<1, 1, 0, stream>>>(more, 1);
    SAY(cudaStreamQuery(stream));
    flag[0] = 3;
    SAY(cudaStreamSynchronize(stream));
    show("after event", more, 1);
}

void device() {
    int n;
    unsigned flags;
    SAY(cudaGetDeviceCount(&n));
    std::printf("   %d\n", n);
    SAY(cudaSetDevice(n));
    LAST();
    SAY(cudaSetDevice(-1));
    LAST();
    cudaDeviceProp properties;
    SAY(cudaGetDeviceProperties(&properties, n));
    LAST();
    SAY(cudaDeviceCanAccessPeer(&n, 0, 0));
    std::printf("   %d\n", n);
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    LAST();
    SAY(cudaDeviceDisablePeerAccess(0));
    LAST();
    size_t limit;
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    std::printf("   %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    std::printf("   %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
    std::printf("   %zu\n", limit);
    SAY(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    std::printf("   %zu\n", limit);
    SAY(cudaRuntimeGetVersion(&n));
    std::printf("   %d\n", n);
    SAY(cudaGetDeviceFlags(&flags));
    std::printf("   flags %u\n", flags & cudaDeviceMapHost);
}

void device_attributes() {
    cudaDeviceProp properties;
    SAY(cudaGetDeviceProperties(&properties, 0));
    for (int i = 1; i <= 147; i++) {
        int v = -77;
        if (cudaDeviceGetAttribute(&v, (cudaDeviceAttr)i, 0) == cudaSuccess)
            std::printf("   attr %d = %d\n", i, v);
        else {
            std::printf("   attr %d fails\n", i);
            cudaGetLastError();
        }
    }
    std::printf("   %d %d %d %d %zu %zu %zu %zu %d %d %d %zu\n", properties.l2CacheSize,
                properties.persistingL2CacheMaxSize, properties.accessPolicyMaxWindowSize,
                properties.asyncEngineCount, properties.memPitch, properties.totalConstMem,
                properties.sharedMemPerBlockOptin, properties.reservedSharedMemPerBlock,
                properties.maxBlocksPerMultiProcessor, properties.regsPerBlock, properties.hostNumaId,
                properties.totalGlobalMem);
}

void ends() {
    SAY(cudaStreamDestroy(stream));
    SAY(cudaStreamDestroy(second));
    SAY(cudaEventDestroy(start));
    SAY(cudaStreamSynchronize(0));
    SAY(cudaDeviceReset());
    LAST();
    SAY(cudaMalloc(&data, 16));
    SAY(cudaFree(data));
}

}  // namespace

int main() {
    begin();
    streams();
    events();
    callbacks();
    launches_that_wait();
    device();
    device_attributes();
    ends();
}
