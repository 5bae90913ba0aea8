// Integer intrinsics.
// Prints: 12 16777214 3 28 4 80000000 1 a0b0c0d 7 2 5 6
// Counts: launches 1, requests 12
#include <cstdio>

__global__ void integers(unsigned* out) {
    out[0] = __mul24(3, 4);
    out[1] = __umul24(0xffffffff, 2) & 0xffffff;
    out[2] = __umulhi(0x80000000u, 6);
    out[3] = __clz(8);
    out[4] = __popc(0xf);
    out[5] = __brev(1);
    out[6] = __ffs(1);
    out[7] = __byte_perm(0x0d0c0b0a, 0, 0x0123);
    out[8] = __sad(3, 7, 3);
    out[9] = min(2, 5u);
    out[10] = max(2u, 5);
    out[11] = __hadd(5, 7);
}

int main() {
    unsigned *out, host[12];
    cudaMalloc(&out, sizeof(host));
    integers<<<1, 1>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%u %u %u %u %u %x %u %x %u %u %u %u\n", host[0], host[1], host[2], host[3], host[4], host[5],
                host[6], host[7], host[8], host[9], host[10], host[11]);
}
