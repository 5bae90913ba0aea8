// Fault: uninitialised read of shared memory: byte 252 of tile was never written
// At: unset.cu:9
// Block: 0

__global__ void faulty(int* data) {
    __shared__ int tile[64];
    if (threadIdx.x < 63) tile[threadIdx.x] = 1;
    __syncthreads();
    data[threadIdx.x] = tile[threadIdx.x];
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
