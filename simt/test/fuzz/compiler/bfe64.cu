// Of bfe and bfi, position and length are the lower 8 bits of their operands, says PTX ISA: here 0 and 255.
// So it is of 32 bits. Of 64 bits, ptxas shifts by the whole operands, and nothing is left.
//
// nvcc 13.0, sm_90, all builds: 12345678 and 0, on an H200 too. Right: 12345678 and 123456789abcdef0. The
// machine code has SHF.R.U64 by the operand as it is.
#include <cstdio>

__global__ void extract(unsigned long long* out, unsigned long long word, unsigned position,
                        unsigned length) {
    unsigned low;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(low) : "r"(0x12345678), "r"(position), "r"(length));
    asm("bfe.u64 %0, %1, %2, %3;" : "=l"(out[1]) : "l"(word), "r"(position), "r"(length));
    out[0] = low;
}

int main() {
    unsigned long long *there, here[2];
    cudaMalloc(&there, sizeof(here));
    extract<<<1, 1>>>(there, 0x123456789abcdef0, 0x100, 0xff);
    cudaMemcpy(here, there, sizeof(here), cudaMemcpyDeviceToHost);
    std::printf("%llx %llx\n", here[0], here[1]);
}
