// Fetches from a plane, filtered and not, by warps of which some lanes are at work: what is counted of them
// are instructions. A fetch is no request to global memory.
#include "simt/test/agreement/check.h"

constexpr int WIDTH = 32, HEIGHT = 8;

__global__ void shift(cudaTextureObject_t plane, float* out, float dx, float dy) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x % 3 != 0) out[y * WIDTH + x] = tex2D<float>(plane, x + 0.5f + dx, y + 0.5f + dy);
}
/// A loop whose rounds differ among lanes.
__global__ void sums(cudaTextureObject_t plane, float* out) {
    const int x = threadIdx.x, y = blockIdx.x;
    float sum = 0;
    for (int k = 0; k <= x; ++k) sum += tex2D<float>(plane, k + 0.5f, y + 0.5f);
    out[y * WIDTH + x] = sum;
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc texture = {};
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    texture.filterMode = filter;
    cudaTextureObject_t object;
    ensure(cudaCreateTextureObject(&object, &resource, &texture, nullptr), "the texture");
    return object;
}

int main() {
    std::vector<float> values(WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) values[i] = float(random_word(i) % 256);
    const auto value = [&](int x, int y) {
        return values[std::min(y, HEIGHT - 1) * WIDTH + std::min(x, WIDTH - 1)];
    };
    const auto format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    ensure(cudaMallocArray(&array, &format, WIDTH, HEIGHT), "the array");
    ensure(
        cudaMemcpy2DToArray(array, 0, 0, values.data(), WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyHostToDevice),
        "the copy");
    Array<float> out(WIDTH * HEIGHT);
    shift<<<HEIGHT, WIDTH>>>(texture_of(array, cudaFilterModePoint), out, 1, 0);
    out.expect("point", [&](int i) { return i % WIDTH % 3 == 0 ? 0 : value(i % WIDTH + 1, i / WIDTH); });
    shift<<<HEIGHT, WIDTH>>>(texture_of(array, cudaFilterModeLinear), out, 0.25f, 0.5f);
    out.expect("linear", [&](int i) {
        const int x = i % WIDTH, y = i / WIDTH;
        if (x % 3 == 0) return 0.0f;
        return (3 * value(x, y) + value(x + 1, y) + 3 * value(x, y + 1) + value(x + 1, y + 1)) / 8;
    });
    sums<<<HEIGHT, WIDTH>>>(texture_of(array, cudaFilterModePoint), out);
    out.expect("sums", [&](int i) {
        float sum = 0;
        for (int k = 0; k <= i % WIDTH; ++k) sum += value(k, i / WIDTH);
        return sum;
    });
    return verdict();
}
