// Fault: an illegal address is accessed: 0x[0-9a-f]+
// At: past_the_end.cu:5
// Block: 0

__global__ void faulty(int* data) { data[threadIdx.x + 1] = 1; }

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
