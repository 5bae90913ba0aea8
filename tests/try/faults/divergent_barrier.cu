// Fault: divergent barrier: thread 32 exited without reaching it
// At: divergent_barrier.cu:7
// Block: 0

__global__ void faulty(int* data) {
    if (threadIdx.x >= 32) return;
    __syncthreads();
    data[threadIdx.x] = 1;
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
