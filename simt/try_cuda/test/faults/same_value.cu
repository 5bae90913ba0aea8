// Fault: data race, of writes of one value, on shared memory, byte 0 of found
// At: same_value.cu:10
// Block: 0
// Status: 0

__global__ void faulty(int* data) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (data[threadIdx.x] == 0) found = 1;
    __syncthreads();
    data[threadIdx.x] = found;
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
