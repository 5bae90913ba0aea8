// Fault: divergent barrier: other threads of the block wait at divergent_barrier.cu:\d+
// At: divergent_barrier.cu:\d+
// Block: 0

__global__ void faulty(int* data) {
    if (threadIdx.x >= 32) {
        __syncthreads();
        data[threadIdx.x] = 2;
    } else {
        data[threadIdx.x] = 1;
        __syncthreads();
    }
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
