// Pitched memory of three dimensions, copied from and to the host.
// Prints: 0 321 432
// Counts: launches 1
#include <cstdio>

constexpr int WIDTH = 5, HEIGHT = 4, DEPTH = 3;

__global__ void add(cudaPitchedPtr volume) {
    char* row = static_cast<char*>(volume.ptr) + (blockIdx.x * HEIGHT + threadIdx.y) * volume.pitch;
    reinterpret_cast<int*>(row)[threadIdx.x] += 100 * threadIdx.x;
}

int main() {
    int host[DEPTH][HEIGHT][WIDTH];
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) host[z][y][x] = 10 * y + z;
    const cudaExtent extent = make_cudaExtent(WIDTH * sizeof(int), HEIGHT, DEPTH);
    cudaMemcpy3DParms copy = {};
    cudaMalloc3D(&copy.dstPtr, extent);
    copy.srcPtr = make_cudaPitchedPtr(host, WIDTH * sizeof(int), WIDTH, HEIGHT);
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    add<<<DEPTH, dim3(WIDTH, HEIGHT)>>>(copy.dstPtr);
    std::swap(copy.srcPtr, copy.dstPtr);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    std::printf("%d %d %d\n", host[0][0][0], host[1][2][3], host[2][3][4]);
}
