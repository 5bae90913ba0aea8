// Applications of an operator of floats, counted: a warp's scan in five steps, in each of which the lanes
// below the stride apply nothing. Prints how many warp instructions apply it, and how many lanes.
#include <cstdio>

#include "kernels/operators.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"
#include "simt/runtime/observe.h"

__global__ void scan(float* values, int count, trial::Sum<float> op) {
    values[threadIdx.x] = trial::warp_scan(values[threadIdx.x], int(threadIdx.x) < count, op);
}

int main() {
    float* values;
    if (cudaMalloc(&values, 32 * sizeof(float)) != cudaSuccess) return 1;
    cudaMemset(values, 0, 32 * sizeof(float));
    sass::Options options;
    options.checks = false;
    options.counts = true;
    options.operators = "Sum: FADD";
    simt_runtime::observer()->begin(options);
    scan<<<1, 32>>>(values, 32, {});
    const auto launch = simt_runtime::observer()->end().launches.at(0);
    std::printf("%d %d\n", int(launch.total.warp_ops), int(launch.total.ops));
    return 0;
}
