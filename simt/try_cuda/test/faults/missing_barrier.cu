// Fault: (uninitialised read of shared memory: byte \d+ of tile|data race on shared memory, byte \d+ of tile)
// At: missing_barrier.cu:9
// Block: 0

__global__ void faulty(int* data) {
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[threadIdx.x];
    const int other = tile[63 - threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = other;
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
