// Inline PTX: a special register, an add with carry, a load that is not cached.
// Prints: 31 5 7
// Counts: launches 1
#include <cstdio>

__global__ void lanes(const int* in, int* out) {
    int lane, value;
    unsigned low, high;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("add.cc.u32 %0, %2, %2;\n\taddc.u32 %1, 2, 2;" : "=r"(low), "=r"(high) : "r"(0x80000000u));
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(value) : "l"(in) : "memory");
    if (lane == 31) out[0] = lane, out[1] = high + low, out[2] = value;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, sizeof(int));
    cudaMallocManaged(&out, 3 * sizeof(int));
    *in = 7;
    lanes<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    std::printf("%d %d %d\n", out[0], out[1], out[2]);
}
