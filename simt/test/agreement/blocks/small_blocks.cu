// Blocks of 1, 5, 33, 48 and 100 threads: last warps with fewer than 32 lanes.
#include "simt/test/agreement/check.h"

__global__ void sum_of_block(const int* in, int* out) {
    __shared__ int row[128];
    const int t = threadIdx.x, n = blockDim.x;
    row[t] = in[global_thread()];
    __syncthreads();
    for (int stride = 64; stride > 0; stride /= 2) {
        if (t < stride && t + stride < n) row[t] += row[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = row[0];
}

__global__ void votes_of_block(const int* in, int* out) {
    const unsigned present = __activemask();
    const int x = in[global_thread()];
    const unsigned odd = __ballot_sync(present, x & 1);
    out[global_thread()] = __popc(odd) + __shfl_xor_sync(present, x, 0) + __syncthreads_count(x & 2);
}

int main() {
    for (const int threads : {1, 5, 33, 48, 100}) {
        const int blocks = 2, n = blocks * threads;
        Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), sums(blocks), votes(n);
        sum_of_block<<<blocks, threads>>>(in, sums);
        sums.expect("sums", [&](int block) {
            int sum = 0;
            for (int t = 0; t < threads; ++t) sum += in[block * threads + t];
            return sum;
        });
        votes_of_block<<<blocks, threads>>>(in, votes);
        votes.expect("votes", [&](int i) {
            const int block = i / threads * threads, warp = block + i % threads / 32 * 32;
            int odd = 0, twos = 0;
            for (int k = warp; k < warp + 32 && k < block + threads; ++k) odd += in[k] & 1;
            for (int k = block; k < block + threads; ++k) twos += (in[k] & 2) != 0;
            return odd + in[i] + twos;
        });
    }
    return verdict();
}
