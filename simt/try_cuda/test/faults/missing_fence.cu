// Fault: data race on global memory, byte 4 of .*: this read and the write by block \(\d, 0, 0\)
// At: missing_fence.cu:11
// Block: \d+

__device__ unsigned done;

__global__ void faulty(int* data) {
    if (threadIdx.x > 0) return;
    data[1 + blockIdx.x] = 1;
    if (atomicAdd(&done, 1u) < gridDim.x - 1) return;
    for (unsigned i = 0; i < gridDim.x; ++i) data[0] += data[1 + i];
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<8, 64>>>(data);
    return cudaDeviceSynchronize();
}
