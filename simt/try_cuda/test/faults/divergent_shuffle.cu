// Fault: divergent warp: the lane reads from one that does not take part
// At: divergent_shuffle.cu:7
// Block: 0

__global__ void faulty(int* data) {
    if (threadIdx.x % 2 == 0)
        data[threadIdx.x] = __shfl_down_sync(0xffffffff, 1, 1);
    else
        __syncwarp(1u << threadIdx.x % 32);
    __syncwarp();
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
