// libcu++: a pipeline of two stages brings tiles to shared memory while the last one is summed.
// Prints: 130816
// Counts: launches 1
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>

constexpr int TILE = 64, TILES = 8;

__global__ void sum(const int* in, int* out) {
    __shared__ int tiles[2][TILE];
    auto pipeline = cuda::make_pipeline();
    int mine = 0;
    for (int next = 0, now = 0; now < TILES; now++) {
        for (; next < TILES && next < now + 2; next++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&tiles[next % 2][threadIdx.x], &in[next * TILE + threadIdx.x], sizeof(int),
                               pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        mine += tiles[now % 2][threadIdx.x];
        pipeline.consumer_release();
    }
    atomicAdd(out, mine);
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, TILE * TILES * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < TILE * TILES; i++) in[i] = i;
    *out = 0;
    sum<<<1, TILE>>>(in, out);
    cudaDeviceSynchronize();
    std::printf("%d\n", *out);
}
