// libcu++: an atomic of the device's scope with its fetch_max, and a std::array.
// Prints: 6400 99
// Counts: launches 1, atomics 400, shuffles 600
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/array>

__global__ void count(cuda::atomic<int, cuda::thread_scope_device>* all, int* largest) {
    const cuda::std::array<int, 2> steps{1, 0};
    all->fetch_add(steps[0], cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_device>(*largest).fetch_max(int(threadIdx.x + blockIdx.x));
}

int main() {
    cuda::atomic<int, cuda::thread_scope_device>* all;
    int* largest;
    cudaMallocManaged(&all, sizeof(*all));
    cudaMallocManaged(&largest, sizeof(int));
    new (all) cuda::atomic<int, cuda::thread_scope_device>(0);
    *largest = 0;
    count<<<100, 64>>>(all, largest);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", all->load(), *largest - 63);
}
