// Fault: trap
// In: optimised
// Block: 0

__constant__ int constant[64];

__global__ void faulty(int* data) { const_cast<int*>(constant)[threadIdx.x] = 1; }

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    faulty<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
