// Histograms: in shared memory and added to a global one; by warps; of values that favour few bins.
#include "simt/test/agreement/check.h"

__global__ void by_block(const unsigned char* in, int* bins, int n) {
    __shared__ int own[64];
    for (int k = threadIdx.x; k < 64; k += blockDim.x) own[k] = 0;
    __syncthreads();
    for (int i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(own + in[i] / 4, 1);
    __syncthreads();
    for (int k = threadIdx.x; k < 64; k += blockDim.x)
        if (own[k] != 0) atomicAdd(bins + k, own[k]);
}

__global__ void by_warp(const unsigned char* in, int* bins, int n) {
    for (int i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        const unsigned peers = __match_any_sync(__activemask(), in[i] / 4);
        if (static_cast<int>(threadIdx.x % 32) == __ffs(peers) - 1)
            atomicAdd(bins + in[i] / 4, __popc(peers));
    }
}

int main() {
    const int n = 2000;
    Array<unsigned char> in(n, [](int i) {
        return static_cast<unsigned char>(i % 3 == 0 ? 17 : random_word(i) % 256 & random_word(i + 5));
    });
    std::vector<int> want(64);
    for (int i = 0; i < n; ++i) ++want[in[i] / 4];
    Array<int> bins(64), others(64);
    by_block<<<3, 128>>>(in, bins, n);
    bins.expect("by block", [&](int k) { return want[k]; });
    by_warp<<<3, 128>>>(in, others, n);
    others.expect("by warp", [&](int k) { return want[k]; });
    return verdict();
}
