// A cooperative launch: every block is resident, and the grid synchronises.
// Prints: 120
// Counts: launches 1
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sum_of_blocks(int* parts, int* total) {
    auto grid = cg::this_grid();
    if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x;
    grid.sync();
    if (grid.thread_rank() == 0) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i];
        *total = sum;
    }
}

int main() {
    int *parts, *total, host, cooperative = 0;
    cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0);
    if (!cooperative) return 1;
    cudaMalloc(&parts, 16 * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    void* arguments[] = {&parts, &total};
    cudaLaunchCooperativeKernel((void*)sum_of_blocks, dim3(16), dim3(64), arguments, 0, 0);
    cudaMemcpy(&host, total, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", host);
}
