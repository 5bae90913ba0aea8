// Products of four bytes at once, of signed and unsigned ones.
// Prints: 30 -8 510
// Counts: launches 1
#include <cstdio>

__global__ void products(int* out) {
    out[0] = __dp4a(0x04030201, 0x04030201, 0);
    out[1] = __dp4a(int(0xfefefefe), 0x01010101, 0);
    out[2] = int(__dp4a(0xff00ff00u, 0x01010101u, 0u));
}

int main() {
    int* out;
    cudaMallocManaged(&out, 3 * sizeof(int));
    products<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    std::printf("%d %d %d\n", out[0], out[1], out[2]);
}
