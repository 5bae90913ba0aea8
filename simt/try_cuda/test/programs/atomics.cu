// Atomics of several types and scopes, and one made of atomicCAS.
// Prints: 6400 3200 199 1 0 19900
// Counts: launches 1, atomics 43
#include <cstdio>

__device__ double add_by_cas(double* address, double value) {
    unsigned long long* const bits = (unsigned long long*)address;
    unsigned long long old = *(volatile unsigned long long*)bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        (unsigned long long)__double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void atomics(int* ints, double* doubles, float* floats) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&ints[0], 32);
    atomicAdd_system(doubles, 16.0);
    atomicMax_block(&ints[1], i);
    atomicExch(&ints[2], 1);
    atomicAnd((unsigned*)&ints[3], 0u);
    atomicAdd(floats, float(i));
    if (i == 0) add_by_cas(doubles + 1, 1.0);
}

int main() {
    int *ints, host[4];
    double *doubles, sums[2];
    float *floats, sum;
    cudaMalloc(&ints, sizeof(host));
    cudaMalloc(&doubles, sizeof(sums));
    cudaMalloc(&floats, sizeof(float));
    cudaMemset(ints, 0, sizeof(host));
    cudaMemset(doubles, 0, sizeof(sums));
    cudaMemset(floats, 0, sizeof(float));
    atomics<<<1, 200>>>(ints, doubles, floats);
    cudaMemcpy(host, ints, sizeof(host), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, doubles, sizeof(sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, floats, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%d %g %d %d %d %g\n", host[0], sums[0], host[1], host[2], host[3], sum);
}
