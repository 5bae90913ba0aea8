// Fault: data race on shared memory, byte \d+ of tile: this write and the read by thread .* at race.cu:11
// At: race.cu:12
// Block: 0

__global__ void faulty(int* data) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = data[i];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        const int left = i >= d ? tile[i - d] : 0;
        tile[i] += left;
        __syncthreads();
    }
    data[i] = tile[i];
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
