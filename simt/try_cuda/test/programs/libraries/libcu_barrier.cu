// libcu++: a barrier of the block, and an asynchronous copy to shared memory that arrives at it.
// Prints: 2016 0
// Counts: launches 1
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reverse(const int* in, int* out) {
    __shared__ int tile[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier barrier;
    const auto block = cooperative_groups::this_thread_block();
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    block.sync();
    cuda::memcpy_async(block, tile, in, sizeof(tile), barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
    int *in, *out, sum = 0;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i;
    reverse<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) sum += out[i];
    std::printf("%d %d\n", sum, out[63]);
}
