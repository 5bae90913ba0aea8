// Fault: deadlock: no resident block can make progress
// At: deadlock.cu:6
// Block: [01]

__global__ void faulty(int* data) {
    while (atomicAdd(&data[0], 0) == 0) continue;
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<2, 64>>>(data);
    return cudaDeviceSynchronize();
}
