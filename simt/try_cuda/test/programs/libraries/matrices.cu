// A product of matrices on tensor cores, and an epilogue. The matrices are loaded from shared memory. Of
// their rows of 32 bytes the first and the fifth share banks: each of eight parts takes two wavefronts.
// Prints: 32 -3
// Counts: launches 1, conflicts 8, barriers 1
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>

using namespace nvcuda::wmma;

/// All of A is 2, and of B 1.
__global__ void product(float* out) {
    __shared__ __align__(32) half a[16 * 16], b[16 * 16];
    for (int k = threadIdx.x; k < 256; k += 32) a[k] = __float2half(2), b[k] = __float2half(1);
    __syncthreads();
    fragment<matrix_a, 16, 16, 16, half, row_major> left;
    fragment<matrix_b, 16, 16, 16, half, col_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    load_matrix_sync(left, a, 16), load_matrix_sync(right, b, 16);
    mma_sync(sum, left, right, sum);
    store_matrix_sync(out, sum, 16, mem_row_major);
    if (threadIdx.x == 0) out[256] = -3;
}

int main() {
    float *out, host[257];
    cudaMalloc(&out, sizeof host);
    product<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", host[37], host[256]);
}
