// set.ge.u32 gives 0xffffffff or 0. As a float, 0xffffffff is 2^32, which as an int is 0x7fffffff.
// ptxas takes the -1 for a small number, for which the conversions there and back change nothing.
//
// nvcc 13.0, sm_90, on an H200 too: -G and -Xptxas -O0: 7fffffff and 7fffffff; -Xptxas -O1 to -O3:
// ffffffff and 7fffffff. Their machine code has no I2F and F2I, only DSETP and SEL.
#include <cstdio>

__device__ unsigned is_at_least(double a, double b) {
    unsigned result;
    asm("set.ge.u32.f64 %0, %1, %2;" : "=r"(result) : "d"(a), "d"(b));
    return result;
}

__global__ void convert(int* out, double a, double b, unsigned all) {
    out[0] = __float2int_rn(__uint2float_ru(is_at_least(a, b)));
    out[1] = __float2int_rn(__uint2float_ru(all));
}

int main() {
    int *there, here[2];
    cudaMalloc(&there, sizeof(here));
    convert<<<1, 1>>>(there, 2, 1, 0xffffffff);
    cudaMemcpy(here, there, sizeof(here), cudaMemcpyDeviceToHost);
    std::printf("%x %x\n", here[0], here[1]);
}
