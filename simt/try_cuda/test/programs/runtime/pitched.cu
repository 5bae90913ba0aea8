// Pitched memory, copies of rectangles, pinned memory, and asynchronous copies.
// Prints: 0 12 23
// Counts: launches 1, requests 2
#include <cstdio>

__global__ void twice(int* at, size_t pitch) {
    int* row = (int*)((char*)at + threadIdx.y * pitch);
    row[threadIdx.x] += row[threadIdx.x];
}

int main() {
    int *at, *host, back[3][4];
    size_t pitch;
    cudaHostAlloc(&host, 12 * sizeof(int), cudaHostAllocDefault);
    for (int i = 0; i < 12; ++i) host[i] = i;
    cudaMallocPitch((void**)&at, &pitch, 4 * sizeof(int), 3);
    cudaMemcpy2D(at, pitch, host, 4 * sizeof(int), 4 * sizeof(int), 3, cudaMemcpyHostToDevice);
    twice<<<1, dim3(4, 3)>>>(at, pitch);
    cudaMemcpy2DAsync(back, sizeof(back[0]), at, pitch, sizeof(back[0]), 3, cudaMemcpyDeviceToHost, 0);
    cudaStreamSynchronize(0);
    std::printf("%d %d %d\n", back[0][0], back[1][2], back[2][3] + 1);
    cudaFreeHost(host);
}
