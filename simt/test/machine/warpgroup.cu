// A product of matrices by a warpgroup, of sm_90a.
#include <cstdio>

__global__ void product(float* out) {
    float d[4] = {};
    asm volatile(
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %4, 1, 1, 1, 0, 0;\n"
        "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(0ull));
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

int main() {
    float* out;
    cudaMalloc(&out, 128 * sizeof(float));
    product<<<1, 128>>>(out);
    return cudaDeviceSynchronize();
}
