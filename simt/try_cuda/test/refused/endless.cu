// Says: spin: endless.cu:6: the time is up; this is where the launch is
// Options: --limit 2 --once
// Status: 124

__global__ void spin(unsigned* out) {
    while (atomicAdd(out, 1) != ~0u) continue;
}

int main() {
    unsigned* out;
    cudaMalloc(&out, 4);
    cudaMemset(out, 0, 4);
    spin<<<1, 1>>>(out);
    return cudaDeviceSynchronize();
}
