// Fault: (uninitialised read of shared memory: byte \d+ of tile|data race on shared memory, byte \d+ of tile)
// At: in_a_group.cu:11
// Block: 0
#include <cooperative_groups.h>

__global__ void faulty(int* data) {
    __shared__ int tile[64];
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    tile[threadIdx.x] = 1;
    warp.sync();  // of the block, it should be
    data[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
