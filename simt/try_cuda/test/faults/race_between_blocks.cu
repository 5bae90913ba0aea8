// Fault: data race on global memory, .* at race_between_blocks.cu:5
// At: race_between_blocks.cu:5
// Block: \d+

__global__ void faulty(int* data) { data[0]++; }

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<8, 64>>>(data);
    return cudaDeviceSynchronize();
}
