// The lowest byte of a word, negated and extended with its sign: of 0x80 that is 0xff80, as 16 bits.
// ptxas negates what it has extended to 32 bits, and does not wrap: neg.s16 of 0x8000 becomes 0x00008000.
//
// nvcc 13.0, sm_90, on an H200 too: -G and -Xptxas -O0: ff80; -Xptxas -O1 to -O3: 80.
// Their machine code has PRMT 0x9910 (sign), IMAD.MOV with a minus, SHF.R.S32.HI by 8.
#include <cstdio>

__global__ void negate(const unsigned* in, unsigned* out) {
    *out = (unsigned short)(signed char)(unsigned char)(0 - *in);
}

int main() {
    unsigned *there, here = 0x80;
    cudaMalloc(&there, sizeof(here));
    cudaMemcpy(there, &here, sizeof(here), cudaMemcpyHostToDevice);
    negate<<<1, 1>>>(there, there);
    cudaMemcpy(&here, there, sizeof(here), cudaMemcpyDeviceToHost);
    std::printf("%x\n", here);
}
