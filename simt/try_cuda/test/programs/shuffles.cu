// Shuffles of several types and widths, and of a struct by a tile.
// Prints: 31 30.5 1 -9 17 3 4
// Counts: launches 1
#include <cooperative_groups.h>

#include <cstdio>

struct Pair {
    int key;
    double value;
};

__global__ void shuffles(double* out) {
    const int lane = threadIdx.x;
    const unsigned all = 0xffffffffu;
    const int last = __shfl_sync(all, lane, 31);
    const double down = __shfl_down_sync(all, lane + 0.5, 30);
    const float up = __shfl_up_sync(all, float(lane), 1);
    const long long wide = __shfl_xor_sync(all, -9LL * lane, 1);
    const unsigned char part = __shfl_sync(all, (unsigned char)(lane), 1, 16);
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    const Pair pair = tile.shfl(Pair{lane, lane + 1.0}, 3);
    if (lane == 0) out[0] = last, out[1] = down, out[3] = wide, out[5] = pair.key, out[6] = pair.value;
    if (lane == 2) out[2] = up;
    if (lane == 16) out[4] = part;
}

int main() {
    double *out, host[7];
    cudaMalloc(&out, sizeof(host));
    shuffles<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 7; ++i) std::printf(i == 0 ? "%g" : " %g", host[i]);
    std::puts("");
}
