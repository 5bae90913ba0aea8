// Fault: byte 256 of shared memory is accessed, of which the block has 256 bytes
// At: past_the_array.cu:7
// Block: 0

__global__ void faulty(int* data) {
    __shared__ int tile[64];
    tile[threadIdx.x + 1] = 1;
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
