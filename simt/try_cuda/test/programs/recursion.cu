// A recursive device function, direct and by way of another, and one that is not inlined.
// Prints: 720 1 21
// Counts: launches 1, requests 39
#include <cstdio>

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ bool is_even(int n);
__device__ bool is_odd(int n) { return n != 0 && is_even(n - 1); }
__device__ bool is_even(int n) { return n == 0 || is_odd(n - 1); }
__noinline__ __device__ int triple(int n) { return 3 * n; }

__global__ void recurse(int* out) {
    out[0] = factorial(6);
    out[1] = is_odd(7);
    out[2] = triple(7);
}

int main() {
    int *out, host[3];
    cudaMalloc(&out, sizeof(host));
    recurse<<<1, 1>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%d %d %d\n", host[0], host[1], host[2]);
}
