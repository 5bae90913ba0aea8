// What the host reads of a launch for which it has not waited. `polling <name>` runs one: it is right to poll
// what is written by strong accesses of the system's scope, and nothing else.
#include <cstdio>
#include <cuda/atomic>
#include <string>

using System = cuda::atomic_ref<int, cuda::thread_scope_system>;

__managed__ int variable;

__global__ void count(int* x) { atomicAdd(x, 1); }
__global__ void count_variable() { atomicAdd(&variable, 1); }
__global__ void count_for_system(int* x) { atomicAdd_system(x, 1); }
__global__ void publish(int* x, int* flag) {
    x[1 + threadIdx.x] = 42;
    __syncthreads();
    if (threadIdx.x == 0) System(*flag).store(1, cuda::memory_order_release);
}
__global__ void publish_volatile(int* x, volatile int* flag) {
    x[1 + threadIdx.x] = 42;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
}

int main(int, char** arguments) {
    const std::string name = arguments[1];
    int *x, *flag, seen = 0;
    cudaMallocManaged(&x, 33 * sizeof(int));
    cudaMallocHost(&flag, sizeof(int));
    *x = *flag = 0;
    if (name == "device_scope_once") count<<<2, 32>>>(x), seen = *x;  // device_scope_once
    if (name == "device_scope_polled") {
        count<<<2, 32>>>(x);
        while (*static_cast<volatile int*>(x) < 64) continue;  // device_scope_polled
    }
    if (name == "variable") count_variable<<<2, 32>>>(), seen = variable;        // variable
    if (name == "system_once") count_for_system<<<2, 32>>>(x), seen = *x;        // system_once
    if (name == "pinned_once") count_for_system<<<2, 32>>>(flag), seen = *flag;  // pinned_once
    if (name == "twice") {
        count_for_system<<<2, 32>>>(x);
        seen = *static_cast<volatile int*>(x);  // twice
        if (seen > 64) std::puts("more");
        seen = *static_cast<volatile int*>(x);
    }
    if (name == "volatile_once") publish_volatile<<<1, 32>>>(x, flag), seen = *flag;  // volatile_once
    if (name == "polled") {
        publish<<<1, 32>>>(x, flag);
        while (System(*flag).load(cuda::memory_order_acquire) == 0) continue;
        seen = x[5];
    }
    if (name == "volatile_polled") {
        publish_volatile<<<1, 32>>>(x, flag);
        while (*static_cast<volatile int*>(flag) == 0) continue;
        seen = x[5];
    }
    if (name == "counter_polled") {
        count_for_system<<<2, 32>>>(x);
        while ((seen = System(*x).load()) < 64) continue;
    }
    if (name == "two_rounds") {
        for (int round = 1; round <= 2; ++round) {
            count_for_system<<<1, 32>>>(x);
            while (System(*x).load() < 32 * round) continue;
        }
    }
    if (name == "progress") {
        count_for_system<<<2, 32>>>(x);
        do seen = *static_cast<volatile int*>(x);
        while (cudaStreamQuery(nullptr) == cudaErrorNotReady);
    }
    if (name == "waits") count<<<2, 32>>>(x), cudaDeviceSynchronize(), seen = *x;
    const bool is_right = name.find("polled") == std::string::npos || seen == (name[0] == 'c' ? 64 : 42);
    return cudaDeviceSynchronize() != cudaSuccess || !(is_right || name == "device_scope_polled");
}
