// Kernels with one fault each; a comment names it where it is reported. `faults <name>` launches one of them.
#include <cooperative_groups.h>

#include <cassert>
#include <map>
#include <string>

namespace cg = cooperative_groups;

__constant__ int constant[64];
__device__ unsigned done;

__global__ void assertion(int* data) {
    if (blockIdx.x == 0) data[threadIdx.x] = 0;
    if (blockIdx.x == 0 && threadIdx.x == 7)
        data[threadIdx.x] = 1, assert(data[threadIdx.x] == 0);  // assertion
}

__global__ void deadlock(int* data) {
    while (atomicAdd(&data[0], 0) == 0) continue;  // deadlock
}

__global__ void divergent_barrier(int* data) {
    if (threadIdx.x >= 32) {
        __syncthreads();  // divergent_barrier
        data[threadIdx.x] = 2;
    } else {
        data[threadIdx.x] = 1;
        __syncthreads();  // divergent_barrier
    }
}

__global__ void divergent_shuffle(int* data) {
    if (threadIdx.x % 2 == 0)
        data[threadIdx.x] = __shfl_down_sync(0xffffffff, 1, 1);  // divergent_shuffle
    else
        __syncwarp(1u << threadIdx.x % 32);
    __syncwarp();
}

__global__ void grid_sync(int*) { cg::this_grid().sync(); }  // grid_sync

__global__ void in_a_group(int* data) {
    __shared__ int tile[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    tile[threadIdx.x] = 1;
    warp.sync();                                 // of the block, it should be
    data[threadIdx.x] = tile[63 - threadIdx.x];  // in_a_group
}

__global__ void missing_fence(int* data) {
    if (threadIdx.x > 0) return;
    data[1 + blockIdx.x] = 1;
    if (atomicAdd(&done, 1u) < gridDim.x - 1) return;
    for (unsigned i = 0; i < gridDim.x; ++i) data[0] += data[1 + i];  // missing_fence
}

__global__ void part_staged(int* data) {
    __shared__ int tile[64], copy[64];
    if (threadIdx.x < 63) tile[threadIdx.x] = 1;
    __syncthreads();
    copy[threadIdx.x] = tile[threadIdx.x] & 7;  // part_staged
    __syncthreads();
    data[threadIdx.x] = copy[63 - threadIdx.x];
}

__global__ void past_the_array(int* data) {
    __shared__ int tile[64];
    tile[threadIdx.x + 1] = 1;  // past_the_array
    __syncthreads();
    data[threadIdx.x] = tile[threadIdx.x];
}

__global__ void past_the_end(int* data) { data[threadIdx.x + 1] = 1; }  // past_the_end

__global__ void race(int* data) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = data[i];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        const int left = i >= d ? tile[i - d] : 0;  // other access of race
        tile[i] += left;                            // race
        __syncthreads();
    }
    data[i] = tile[i];
}

__global__ void same_value(int* data) {
    __shared__ int any;
    if (threadIdx.x == 0) any = 0;
    __syncthreads();
    if (data[threadIdx.x] == 0) any = 1;  // same_value
    __syncthreads();
    data[threadIdx.x] = any;
}

__global__ void staged(int* data) {
    __shared__ int tile[64], copy[64];
    if (threadIdx.x < 63) tile[threadIdx.x] = 1;
    __syncthreads();
    copy[threadIdx.x] = tile[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = copy[63 - threadIdx.x];  // staged
}

// Unoptimised code moves by a product of one.
__global__ void times_one(int* data) {
    __shared__ int tile[64];
    if (threadIdx.x < 63) tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    const int own = tile[threadIdx.x] * 1;  // times_one
    atomicAdd(data, own);
}

__global__ void unset(int* data) {
    __shared__ int tile[64];
    if (threadIdx.x < 63) tile[threadIdx.x] = 1;
    __syncthreads();
    data[threadIdx.x] = tile[threadIdx.x];  // unset
}

__global__ void write_to_constant(int*) { const_cast<int*>(constant)[threadIdx.x] = 1; }

struct Launch {
    void (*kernel)(int*);
    int blocks;
};

int main(int, char** arguments) {
    const std::map<std::string, Launch> launches = {
        {"assertion", {assertion, 2}},
        {"deadlock", {deadlock, 2}},
        {"divergent_barrier", {divergent_barrier, 1}},
        {"divergent_shuffle", {divergent_shuffle, 1}},
        {"grid_sync", {grid_sync, 2}},
        {"in_a_group", {in_a_group, 1}},
        {"missing_fence", {missing_fence, 8}},
        {"part_staged", {part_staged, 1}},
        {"past_the_array", {past_the_array, 1}},
        {"past_the_end", {past_the_end, 1}},
        {"race", {race, 1}},
        {"same_value", {same_value, 1}},
        {"staged", {staged, 1}},
        {"times_one", {times_one, 1}},
        {"unset", {unset, 1}},
        {"write_to_constant", {write_to_constant, 1}},
    };
    const Launch launch = launches.at(arguments[1]);
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    launch.kernel<<<launch.blocks, 64>>>(data);
    return cudaDeviceSynchronize();
}
