// Volatile and atomic-like accesses to shared and global memory, by some lanes; fences of all scopes.
#include <cuda/atomic>

#include "simt/test/agreement/check.h"

__global__ void reread(volatile int* data, int* out) {
    __shared__ volatile int row[64];
    const int t = threadIdx.x, i = global_thread();
    row[t] = data[i];
    __syncthreads();
    int sum = row[t ^ 3];
    __syncthreads();
    if (t % 3 == 0) {
        row[t] = sum + 1;
        __threadfence_block();
        sum += row[t] * 2;
    }
    data[i] = sum;
    __threadfence();
    sum += data[i];
    if (t % 2 == 0) __threadfence_system();
    out[i] = sum + data[i];
}

__global__ void strong(int* data, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(data[global_thread()]);
    mine.store(mine.load(cuda::memory_order_acquire) * 3, cuda::memory_order_release);
    if (threadIdx.x % 4 == 1) mine.fetch_add(5, cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_block> in_block(data[global_thread()]);
    in_block.store(in_block.load(cuda::memory_order_relaxed) + 1, cuda::memory_order_relaxed);
    out[global_thread()] = mine.load(cuda::memory_order_relaxed);
}

int main() {
    const int n = 128;
    Array<int> data(n, [](int i) { return int(random_word(i) % 1000); }), out(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = data[i ^ 3] + (i % 64 % 3 == 0 ? 2 * (data[i ^ 3] + 1) : 0);
    reread<<<2, 64>>>(data, out);
    out.expect("volatile", [&](int i) { return 3 * want[i]; });
    Array<int> words(n, [](int i) { return i; });
    strong<<<2, 64>>>(words, out);
    out.expect("strong", [](int i) { return i * 3 + (i % 4 == 1 ? 5 : 0) + 1; });
    return verdict();
}
