// bfloat16: eight bits of mantissa; products, a pair, an atomic.
// Prints: 256 2.25 33 1.5
// Counts: launches 1
#include <cuda_bf16.h>
#include <cstdio>

__global__ void sums(__nv_bfloat16* out) {
    const __nv_bfloat16 one = __float2bfloat16(1);
    if (threadIdx.x == 0) {
        out[0] = __float2bfloat16(256) + one;  // half way to 258: to even
        out[1] = __hfma(__float2bfloat16(1.5f), __float2bfloat16(1.5f), __float2bfloat16(0));
        const __nv_bfloat162 pair = __floats2bfloat162_rn(0.5f, 1);
        out[3] = __hadd(__low2bfloat16(pair), __high2bfloat16(pair));
    }
    __syncthreads();
    atomicAdd(&out[2], one);
}

int main() {
    __nv_bfloat16* out;
    cudaMallocManaged(&out, 4 * sizeof(__nv_bfloat16));
    out[2] = __float2bfloat16(1);
    sums<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++) std::printf("%g%c", __bfloat162float(out[i]), i < 3 ? ' ' : '\n');
}
