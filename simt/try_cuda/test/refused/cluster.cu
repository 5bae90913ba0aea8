// Says: the machine has no clusters of more than one block: launch with clusters of 1
// Status: 1

__global__ void __cluster_dims__(2) set(int* out) { out[blockIdx.x] = 1; }

int main() {
    int* out;
    cudaMalloc(&out, 8);
    set<<<2, 1>>>(out);
    return cudaDeviceSynchronize() != cudaGetLastError();
}
