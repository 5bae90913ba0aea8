// Aggregated atomics: the lanes that are active together elect one of them.
// Prints: 32
// Counts: launches 1, atomics 4, shuffles 16
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int claim(int* counter) {
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
    return active.shfl(first, 0) + active.thread_rank();
}

__global__ void select(const int* in, int* out, int* counter) {
    const int value = in[threadIdx.x];
    if (value % 4 == 0) out[claim(counter)] = value;
}

int main() {
    int host[128], *in, *out, *counter, count;
    for (int i = 0; i < 128; ++i) host[i] = i;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMalloc(&counter, sizeof(int));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemset(counter, 0, sizeof(int));
    select<<<1, 128>>>(in, out, counter);
    cudaMemcpy(&count, counter, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", count);
}
