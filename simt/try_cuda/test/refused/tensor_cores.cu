// Says: product: tensor_cores.cu:13: the machine has no tensor cores
// Status: 3
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

__global__ void product(const half* in, float* out) {
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0);
    load_matrix_sync(a, in, 16), load_matrix_sync(b, in, 16);
    mma_sync(sum, a, b, sum);
    store_matrix_sync(out, sum, 16, mem_row_major);
}

int main() {
    half* in;
    float* out;
    cudaMalloc(&in, 256 * sizeof(half));
    cudaMemset(in, 0, 256 * sizeof(half));
    cudaMalloc(&out, 256 * sizeof(float));
    product<<<1, 32>>>(in, out);
    return cudaDeviceSynchronize();
}
