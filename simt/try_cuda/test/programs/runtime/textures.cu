// A texture with a linear filter on an array, and a surface on another.
// Prints: 0 5 75
// Counts: launches 1, requests 0, sectors 0
#include <cstdio>

__global__ void stretch(cudaTextureObject_t from, cudaSurfaceObject_t to) {
    const int value = int(tex2D<float>(from, (threadIdx.x + 1) / 2.0f, threadIdx.y + 0.5f));
    surf2Dwrite(value, to, int(threadIdx.x) * 4, int(threadIdx.y));
}

int main() {
    const float in[2][4] = {{0, 10, 20, 30}, {40, 50, 60, 70}};
    int out[2][8];
    const auto floats = cudaCreateChannelDesc<float>();
    const auto ints = cudaCreateChannelDesc<int>();
    cudaResourceDesc source = {}, target = {};
    cudaMallocArray(&source.res.array.array, &floats, 4, 2);
    cudaMallocArray(&target.res.array.array, &ints, 8, 2, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(source.res.array.array, 0, 0, in, sizeof(in[0]), sizeof(in[0]), 2,
                        cudaMemcpyHostToDevice);
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    cudaCreateTextureObject(&texture, &source, &how, nullptr);
    cudaCreateSurfaceObject(&surface, &target);
    stretch<<<1, dim3(8, 2)>>>(texture, surface);
    cudaMemcpy2DFromArray(out, sizeof(out[0]), target.res.array.array, 0, 0, sizeof(out[0]), 2,
                          cudaMemcpyDeviceToHost);
    std::printf("%d %d %d\n", out[0][0], out[0][1], out[1][6] + 5);
    cudaDestroyTextureObject(texture);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(source.res.array.array);
    cudaFreeArray(target.res.array.array);
}
