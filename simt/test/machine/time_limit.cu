// A launch that ends, and one whose block 3 does not. Without an argument the host does not, either.

__global__ void fill(int* out) { out[blockIdx.x] = 1; }

__global__ void spin(int* out) {
    if (blockIdx.x == 3)
        while (atomicAdd(out, 1) != -1) continue;
}

int main(int count, char**) {
    int* out;
    cudaMalloc(&out, 8 * sizeof(int));
    fill<<<8, 1>>>(out);
    cudaDeviceSynchronize();
    for (volatile int turns = 0; count == 1; turns = 0) continue;
    spin<<<8, 1>>>(out);
    return cudaDeviceSynchronize();
}
