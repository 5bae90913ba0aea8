// Surfaces that are read and written, by warps of which some lanes are at work; what lies outside is ignored.
#include "simt/test/agreement/check.h"

constexpr int WIDTH = 40, HEIGHT = 6;

__global__ void stencil(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = threadIdx.x, y = blockIdx.x;
    int left, right;
    surf2Dread(&left, from, (x - 1) * 4, y, cudaBoundaryModeZero);
    surf2Dread(&right, from, (x + 1) * 4, y, cudaBoundaryModeZero);
    if (x % 5 != 1) surf2Dwrite(left + right, to, x * 4, y, cudaBoundaryModeZero);
}

struct Plane {
    cudaArray_t array;
    cudaSurfaceObject_t surface;
    explicit Plane(const std::vector<int>& values) {
        const auto format = cudaCreateChannelDesc<int>();
        ensure(cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArraySurfaceLoadStore), "the array");
        ensure(cudaMemcpy2DToArray(array, 0, 0, values.data(), WIDTH * 4, WIDTH * 4, HEIGHT,
                                   cudaMemcpyHostToDevice),
               "the copy");
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        ensure(cudaCreateSurfaceObject(&surface, &resource), "the surface");
    }
};

int main() {
    std::vector<int> values(WIDTH * HEIGHT), got(WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) values[i] = int(random_word(i) % 1000);
    const Plane from(values), to(values);
    stencil<<<HEIGHT, 64>>>(from.surface, to.surface);
    ensure(cudaMemcpy2DFromArray(got.data(), WIDTH * 4, to.array, 0, 0, WIDTH * 4, HEIGHT,
                                 cudaMemcpyDeviceToHost),
           "the copy back");
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        const int x = i % WIDTH, left = x == 0 ? 0 : values[i - 1],
                  right = x == WIDTH - 1 ? 0 : values[i + 1];
        const int want = x % 5 == 1 ? values[i] : left + right;
        if (got[i] != want) std::printf("element %d is %d, not %d\n", i, got[i], want), has_failed = true;
    }
    return verdict();
}
