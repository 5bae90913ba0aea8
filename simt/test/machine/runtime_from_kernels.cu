// Launches from kernels: what every call of the device's runtime returns, and what the launches do, as an
// H100 has it.
#include "simt/test/machine/runtime.h"

namespace {

/// Of the calls of a kernel, in the order in which one thread makes them.
struct Said {
    char call[56];
    int error, value;
};
constexpr int MOST = 64;
__device__ Said said[MOST];
__device__ int how_many;

__device__ void say(const char* call, int error, int value = 0) {
    Said& now = said[how_many++];
    for (int i = 0; i < int(sizeof now.call) - 1 && (now.call[i] = call[i]) != 0; i++) continue;
    now.error = error, now.value = value;
}
#define SAY_HERE(call) say(#call, call)

__device__ void last() {
    say("   peeked", cudaPeekAtLastError());
    say("   last", cudaGetLastError());
    say("   last again", cudaGetLastError());
}

__device__ int words[1024];
__global__ void clear_words() { words[threadIdx.x] = 0; }

/// Waits for the kernel, and prints what it said and the first n words.
void tell(const char* kernel, int n = 0) {
    std::printf("%s: launched -> %s", kernel, cudaGetErrorName(cudaGetLastError()));
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf(", ended -> %s\n", cudaGetErrorName(error));
    Said all[MOST] = {};
    int count = 0;
    cudaMemcpyFromSymbol(all, said, sizeof all);
    cudaMemcpyFromSymbol(&count, how_many, sizeof count);
    for (int i = 0; i < count && i < MOST; i++) {
        std::printf("   %s -> %s, %d\n", all[i].call, cudaGetErrorName(cudaError_t(all[i].error)),
                    all[i].value);
    }
    std::vector<int> values(1024);
    cudaMemcpyFromSymbol(values.data(), words, sizeof words);
    if (n > 0) std::printf("   words:");
    for (int i = 0; i < n; i++) std::printf(" %d", values[i]);
    if (n > 0) std::puts("");
    count = 0;
    cudaMemcpyToSymbol(how_many, &count, sizeof count);
    clear_words<<<1, 1024>>>();
    cudaDeviceSynchronize();
}
#define TELL(kernel, ...)             \
    do {                              \
        kernel;                       \
        tell(#kernel, ##__VA_ARGS__); \
    } while (0)

__global__ void add_to(int* p, int value) { atomicAdd(p + threadIdx.x, value); }
/// Shows order: each launch multiplies and adds.
__global__ void then(int* p, int value) { *p = *p * 10 + value; }
__global__ void __launch_bounds__(64) of_64(int* p) { atomicAdd(p, 1); }
__global__ void with_shared(int* p) {
    extern __shared__ int some[];
    some[threadIdx.x] = 5;
    atomicAdd(p, some[threadIdx.x]);
}
struct Wide {
    char c;
    double d;
    short s[5];
};
__global__ void with_struct(char a, Wide w, int* p, short b) { *p = a + int(w.d) + w.s[4] + b + w.c; }

__global__ void in_order() {
    then<<<1, 1>>>(words, 1);
    then<<<1, 1>>>(words, 2);
    then<<<1, 1, 0, cudaStreamTailLaunch>>>(words, 8);
    then<<<1, 1>>>(words, 3);
    then<<<1, 1, 0, cudaStreamTailLaunch>>>(words, 9);
    then<<<1, 1, 0, cudaStreamPerThread>>>(words + 1, 1);
    add_to<<<3, 32, 0, cudaStreamFireAndForget>>>(words + 32, 7);
    Wide w;
    w.c = 1, w.d = 1000.5, w.s[4] = 20;
    with_struct<<<1, 1>>>(3, w, words + 2, 300);
    last();
}
/// Threads of a block share its default stream.
__global__ void by_all() {
    if (threadIdx.x == 0) then<<<1, 1>>>(words + blockIdx.x, 1);
    __syncthreads();
    if (threadIdx.x == 33) then<<<1, 1>>>(words + blockIdx.x, 2);
    __syncthreads();
    if (threadIdx.x == 63) then<<<1, 1>>>(words + blockIdx.x, 3);
    add_to<<<1, 32>>>(words + 64, 1);
}
/// Tail launches come after all others, and theirs.
__global__ void inner(int* p) {
    then<<<1, 1, 0, cudaStreamTailLaunch>>>(p, 2);
    then<<<1, 1>>>(p, 1);
}
__global__ void nested() {
    inner<<<1, 1>>>(words);
    then<<<1, 1>>>(words, 3);
    then<<<1, 1, 0, cudaStreamTailLaunch>>>(words, 4);
}
__global__ void deep(int level, int* p) {
    p[level] = level + 1;
    if (level == 60) return;
    deep<<<1, 1>>>(level + 1, p);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) say("deep", error, level);
}
__global__ void deep_by_tails(int level, int* p) {
    p[level] = level + 1;
    if (level < 40) deep_by_tails<<<1, 1, 0, cudaStreamTailLaunch>>>(level + 1, p);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) say("deep_by_tails", error, level);
}

__global__ void bad_sizes() {
    add_to<<<0, 32>>>(words, 1), last();
    add_to<<<1, 0>>>(words, 1), last();
    add_to<<<1, 1025>>>(words, 1), last();
    add_to<<<dim3(1, 65536), 32>>>(words, 1), last();
    add_to<<<1, dim3(1, 1, 65)>>>(words, 1), last();
}
__global__ void bad_sizes_2() {
    of_64<<<1, 65>>>(words), last();
    with_shared<<<1, 32, 49152>>>(words), last();
    with_shared<<<1, 32, 49153>>>(words), last();
    with_shared<<<1, 32, 232448>>>(words), last();
    with_shared<<<1, 32, 232449>>>(words), last();
}
__global__ void allowed_by_host() { with_shared<<<1, 32, 60000>>>(words), last(); }
__global__ void no_buffer() {
    say("no sizes", cudaGetParameterBufferV2((void*)add_to, 0, 1, 0) == nullptr), last();
    say("too many threads", cudaGetParameterBufferV2((void*)of_64, 1, 65, 0) == nullptr), last();
}
__global__ void streams() {
    cudaStream_t s, t;
    SAY_HERE(cudaStreamCreateWithFlags(&s, cudaStreamDefault));
    last();
    SAY_HERE(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    SAY_HERE(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    then<<<1, 1, 0, s>>>(words, 1);
    then<<<1, 1, 0, s>>>(words, 2);
    then<<<1, 1, 0, t>>>(words + 1, 3);
    cudaEvent_t e, f;
    SAY_HERE(cudaEventCreateWithFlags(&f, cudaEventDefault));
    last();
    SAY_HERE(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    SAY_HERE(cudaEventRecord(e, s));
    SAY_HERE(cudaStreamWaitEvent(t, e, 0));
    then<<<1, 1, 0, t>>>(words, 4);
    SAY_HERE(cudaEventRecord(e, nullptr));
    SAY_HERE(cudaStreamWaitEvent(nullptr, e, 0));
    SAY_HERE(cudaEventRecord(e, cudaStreamTailLaunch));
    last();
    SAY_HERE(cudaStreamWaitEvent(cudaStreamFireAndForget, e, 0));
    last();
    SAY_HERE(cudaStreamWaitEvent(t, e, 1));
    last();
    SAY_HERE(cudaEventDestroy(e));
    SAY_HERE(cudaStreamDestroy(s));
    SAY_HERE(cudaStreamDestroy(t));
    last();
}
__global__ void bad_streams() {
    cudaStream_t s;
    SAY_HERE(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    SAY_HERE(cudaStreamDestroy(s));
    SAY_HERE(cudaStreamDestroy(nullptr)), last();
    SAY_HERE(cudaStreamDestroy(cudaStreamTailLaunch)), last();
}
__global__ void queries(int* at) {
    int v = -1;
    size_t wide = 0;
    say("cudaGetDevice", cudaGetDevice(&v), v);
    say("cudaGetDeviceCount", cudaGetDeviceCount(&v), v);
    say("cudaRuntimeGetVersion", cudaRuntimeGetVersion(&v), v);
    say("cudaDevAttrWarpSize", cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0), v);
    say("cudaDevAttrMultiProcessorCount", cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0), v);
    say("cudaDevAttrMaxThreadsPerBlock", cudaDeviceGetAttribute(&v, cudaDevAttrMaxThreadsPerBlock, 0), v);
    say("cudaDevAttrMaxSharedMemoryPerBlock",
        cudaDeviceGetAttribute(&v, cudaDevAttrMaxSharedMemoryPerBlock, 0), v);
    say("cudaDevAttrComputeCapabilityMajor", cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0),
        v);
    say("cudaDevAttrConcurrentManagedAccess",
        cudaDeviceGetAttribute(&v, cudaDevAttrConcurrentManagedAccess, 0), v);
    v = -1;
    say("of device 1", cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 1), v), last();
    say("attribute 9999", cudaDeviceGetAttribute(&v, cudaDeviceAttr(9999), 0), v), last();
    say("cudaLimitStackSize", cudaDeviceGetLimit(&wide, cudaLimitStackSize), int(wide));
    say("cudaLimitMallocHeapSize", cudaDeviceGetLimit(&wide, cudaLimitMallocHeapSize), int(wide));
    say("cudaLimitPrintfFifoSize", cudaDeviceGetLimit(&wide, cudaLimitPrintfFifoSize), int(wide));
    say("cudaLimitDevRuntimePendingLaunchCount",
        cudaDeviceGetLimit(&wide, cudaLimitDevRuntimePendingLaunchCount), int(wide));
    wide = 77;
    say("cudaLimitDevRuntimeSyncDepth", cudaDeviceGetLimit(&wide, cudaLimitDevRuntimeSyncDepth), int(wide)),
        last();
    cudaFuncCache cache;
    say("cudaDeviceGetCacheConfig", cudaDeviceGetCacheConfig(&cache), cache);
    *at = cudaGetErrorName(cudaErrorInvalidValue)[9] + 1000 * (cudaGetErrorString(cudaSuccess)[0]);
    *at += cudaGetErrorName(cudaError_t(12345))[0];
}
__global__ void of_functions() {
    cudaFuncAttributes a;
    say("cudaFuncGetAttributes", cudaFuncGetAttributes(&a, (const void*)of_64));
    say("   maxThreadsPerBlock", 0, a.maxThreadsPerBlock);
    say("   numRegs over 0", 0, a.numRegs > 0);
    say("   sharedSizeBytes", 0, int(a.sharedSizeBytes));
    say("   constSizeBytes", 0, int(a.constSizeBytes));
    say("   localSizeBytes", 0, int(a.localSizeBytes));
    say("   ptxVersion", 0, a.ptxVersion);
    say("   binaryVersion", 0, a.binaryVersion);
    say("of nothing", cudaFuncGetAttributes(&a, nullptr)), last();
    int v = -1;
    say("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, (const void*)of_64, 64, 0), v);
    say("occupancy 128", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, (const void*)of_64, 128, 0), v),
        last();
    say("occupancy with 40,000 bytes",
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&v, (const void*)with_shared, 64, 40000, 0),
        v);
    say("occupancy with 80,000 bytes",
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&v, (const void*)with_shared, 64, 80000, 0),
        v),
        last();
}
__global__ void memory() {
    int* p = nullptr;
    say("cudaMalloc", cudaMalloc(&p, 64), p != nullptr);
    for (int i = 0; i < 16; i++) p[i] = i + 1;
    say("cudaMemcpyAsync", cudaMemcpyAsync(words, p, 40, cudaMemcpyDeviceToDevice));
    say("cudaMemcpyAsync odd", cudaMemcpyAsync((char*)words + 64, (char*)p + 1, 5, cudaMemcpyDeviceToDevice));
    say("cudaMemsetAsync", cudaMemsetAsync(words + 20, 3, 7));
    say("cudaMemset2DAsync", cudaMemset2DAsync(words + 24, 8, 1, 4, 3));
    say("cudaMemcpy2DAsync", cudaMemcpy2DAsync(words + 32, 12, p, 8, 4, 3, cudaMemcpyDeviceToDevice));
    say("to the host", cudaMemcpyAsync(words, p, 40, cudaMemcpyDeviceToHost)), last();
    say("nothing", cudaMemcpyAsync(words, p, 0, cudaMemcpyDeviceToDevice)), last();
    say("to nowhere", cudaMemcpyAsync(nullptr, p, 4, cudaMemcpyDeviceToDevice)), last();
    int* q = nullptr;
    say("cudaMalloc of too much", cudaMalloc(&q, size_t(1) << 40), q != nullptr), last();
    say("cudaMalloc of nothing", cudaMalloc(&q, 0), q != nullptr), last();
    say("cudaFree(nullptr)", cudaFree(nullptr)), last();
}
__global__ void pending(int n) {
    int first = -1, failed = 0;
    for (int i = 0; i < n; i++) {
        add_to<<<1, 32>>>(words, 1);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess && failed++ == 0) first = i, say("pending", error, i);
    }
    say("failed", 0, failed);
    words[40] = first;
}

}  // namespace

int main() {
    size_t limit = 0;
    SAY(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
    std::printf("   %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth));
    std::printf("   %zu\n", limit);
    LAST();
    SAY(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    LAST();
    TELL((in_order<<<1, 1>>>()), 64);
    TELL((by_all<<<4, 64>>>()), 96);
    TELL((nested<<<1, 1>>>()), 2);
    int* p;
    cudaGetSymbolAddress(reinterpret_cast<void**>(&p), words);
    TELL((deep<<<1, 1>>>(0, p)), 64);
    TELL((deep_by_tails<<<1, 1>>>(0, p)), 48);
    TELL((bad_sizes<<<1, 1>>>()), 2);
    TELL((bad_sizes_2<<<1, 1>>>()), 2);
    TELL((no_buffer<<<1, 1>>>()), 2);
    SAY(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    TELL((allowed_by_host<<<1, 1>>>()), 1);
    TELL((streams<<<1, 1>>>()), 4);
    TELL((bad_streams<<<1, 1>>>()));
    TELL((queries<<<1, 1>>>(p)), 1);
    TELL((of_functions<<<1, 1>>>()));
    TELL((memory<<<1, 1>>>()), 48);
    TELL((pending<<<1, 1>>>(2100)), 41);
    SAY(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
    TELL((pending<<<1, 1>>>(2100)), 41);
}
