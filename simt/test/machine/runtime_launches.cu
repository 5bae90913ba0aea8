// Launches and attributes of kernels: what every call of the runtime returns.
#include <cooperative_groups.h>

#include "simt/test/machine/runtime.h"

__global__ void reversed(int* p) {
    extern __shared__ int words[];
    words[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(128) bounded(int* p) {
    __shared__ int words[1000];
    words[threadIdx.x] = p[0];
    __syncthreads();
    p[0] = words[threadIdx.x ^ 1];
}
__global__ void grid_sum(int* p, int n) {
    const auto grid = cooperative_groups::this_grid();
    const int i = grid.thread_rank();
    if (i < n) atomicAdd(p + n, p[i]);
    grid.sync();
    if (i < n) p[i] = p[n];
}

namespace {

int no_kernel;

template <class Kernel>
void attributes_of(const char* name, Kernel kernel) {
    cudaFuncAttributes a;
    SAY(cudaFuncGetAttributes(&a, kernel));
    std::printf(
        "   %s shared %zu const %zu local %zu threads %d registers %d binary %d dynamic %d carveout %d\n",
        name, a.sharedSizeBytes, a.constSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock, a.numRegs,
        a.binaryVersion, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout);
    std::printf("   resident blocks:");
    for (const int threads : {32, 64, 96, 128, 256, 512, 1000, 1024}) {
        for (const int bytes : {0, 1000, 16384, 49152, 100000}) {
            int blocks = -1;
            const cudaError_t error =
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes);
            std::printf(" %d%s", blocks, error == cudaSuccess ? "" : cudaGetErrorName(error));
        }
    }
    std::puts("");
}

void launches() {
    add<<<4, 256>>>(data, 1000);
    LAST();
    show("add", data, 8);

    add<<<1, 2000>>>(data, 1);
    LAST();
    add<<<0, 1>>>(data, 1);
    LAST();
    add<<<1, 0>>>(data, 1);
    LAST();
    add<<<dim3(1, 70000), 1>>>(data, 1);
    LAST();
    add<<<1, dim3(1, 1, 65)>>>(data, 1);
    LAST();
    add<<<1, 32, 60000>>>(data, 1);
    LAST();
    add<<<1, 32, 300000>>>(data, 1);
    LAST();
    add<<<dim3(1, 1, 70000), 1>>>(data, 1);
    LAST();

    bounded<<<1, 256>>>(data);
    LAST();
    SAY(cudaDeviceSynchronize());
}

void dynamic_shared_memory() {
    SAY(cudaFuncSetAttribute(reversed, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    reversed<<<1, 32, 90000>>>(data);
    LAST();
    reversed<<<1, 32, 110000>>>(data);
    LAST();
    show("reversed", data, 4);

    SAY(cudaFuncSetAttribute(reversed, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
    LAST();
    SAY(cudaFuncSetAttribute(reversed, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    SAY(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    LAST();
    SAY(cudaFuncSetAttribute(bounded, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    SAY(cudaFuncSetAttribute(bounded, cudaFuncAttributePreferredSharedMemoryCarveout, 150));
    LAST();
}

void attributes() {
    attributes_of("add", add);
    attributes_of("reversed", reversed);
    attributes_of("bounded", bounded);
    attributes_of("grid_sum", grid_sum);

    cudaFuncAttributes a;
    SAY(cudaFuncGetAttributes(&a, &no_kernel));
    LAST();
    SAY(cudaLaunchKernel(&no_kernel, 1, 1, nullptr, 0, 0));
    LAST();
}

void cooperative_launches() {
    int n = 1000;
    SAY(cudaMemset(data, 0, 4096));
    twice<<<1, 1>>>(data, 1);
    add<<<4, 256>>>(data, 1000);
    void* args[] = {&data, &n};
    SAY(cudaLaunchCooperativeKernel(grid_sum, 4, 256, args, 0, 0));
    SAY(cudaDeviceSynchronize());
    show("grid", data, 3);
    SAY(cudaLaunchCooperativeKernel(grid_sum, 100000, 256, args, 0, 0));
    LAST();
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = 256;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    SAY(cudaLaunchKernelEx(&config, grid_sum, data, n));
    SAY(cudaDeviceSynchronize());
    show("grid", data, 3);
}

}  // namespace

int main() {
    begin();
    launches();
    dynamic_shared_memory();
    attributes();
    cooperative_launches();
}
