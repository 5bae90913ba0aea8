// CUB: a scan within a block, and one of the device.
// Prints: 36 4950
// Counts: launches 3
#include <cstdio>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>

__global__ void block_scan(int* data) {
    using Scan = cub::BlockScan<int, 64>;
    __shared__ Scan::TempStorage storage;
    int sum;
    Scan(storage).InclusiveSum(data[threadIdx.x], sum);
    data[threadIdx.x] = sum;
}

int main() {
    int *data, *sums;
    cudaMallocManaged(&data, 100 * sizeof(int));
    cudaMallocManaged(&sums, 100 * sizeof(int));
    for (int i = 0; i < 64; i++) data[i] = i + 1;
    block_scan<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    std::printf("%d ", data[7]);
    for (int i = 0; i < 100; i++) data[i] = i;
    void* storage = nullptr;
    size_t bytes = 0;
    cub::DeviceScan::InclusiveSum(storage, bytes, data, sums, 100);
    cudaMalloc(&storage, bytes);
    cub::DeviceScan::InclusiveSum(storage, bytes, data, sums, 100);
    cudaDeviceSynchronize();
    std::printf("%d\n", sums[99]);
}
