// Parts of a vector whose sums are known beforehand, so that a GPU makes and checks its own part. GPU only.
//
//     in[j]  =  sum_at(g, j) - sum_at(g, j - 1)           on GPU g
//     out[j] =  sum_at(g, j) + the last sums of the GPUs before g
#pragma once
#include <cuda_runtime.h>

namespace harness {

/// Element j of the inclusive scan of GPU g's input; -1 is before its first. All of them are integers below
/// 2^16, so each sum of elements, in any order, is a difference of two of them, which a float holds.
__host__ __device__ inline float sum_at(int g, long long j) {
    if (j < 0) return 0;
    auto bits =
        (static_cast<unsigned long long>(g) << 40 | static_cast<unsigned long long>(j)) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;  // the finaliser of SplitMix64, less its last step
    return static_cast<float>((bits ^ bits >> 27) & 0xffff);
}

static __global__ void fill_differences(float* in, long long n, int g) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long j = 1LL * blockIdx.x * blockDim.x + threadIdx.x; j < n; j += stride)
        in[j] = sum_at(g, j) - sum_at(g, j - 1);
}

/// *wrong: elements of out that are not `before` and the sum at their place.
static __global__ void count_wrong_sums(const float* out, long long n, int g, float before,
                                        unsigned long long* wrong) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    unsigned long long mine = 0;
    for (long long j = 1LL * blockIdx.x * blockDim.x + threadIdx.x; j < n; j += stride)
        mine += out[j] == before + sum_at(g, j) ? 0 : 1;
    if (mine > 0) atomicAdd(wrong, mine);
}

}  // namespace harness
