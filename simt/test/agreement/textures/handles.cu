// Handles that differ among the lanes of a warp: the compiler makes a loop over them.
#include "simt/test/agreement/check.h"

constexpr int N = 128;

__global__ void fetch(const cudaTextureObject_t* vectors, const int* which, int* out) {
    const int i = global_thread();
    out[i] = tex1Dfetch<int>(vectors[which[i]], i) + tex1Dfetch<int>(vectors[blockIdx.x], N - i);
}

int main() {
    Array<int> one(N, [](int i) { return int(random_word(i) % 1000); }),
        two(N, [](int i) { return int(random_word(i + N) % 1000); }),
        which(N, [](int i) { return int(random_word(i + 2 * N) % 2); }), out(N);
    cudaTextureObject_t objects[2];
    int* const memory[] = {one.device(), two.device()};
    for (int k = 0; k < 2; ++k) {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = memory[k];
        resource.res.linear.desc = cudaCreateChannelDesc<int>();
        resource.res.linear.sizeInBytes = N * sizeof(int);
        const cudaTextureDesc texture = {};
        ensure(cudaCreateTextureObject(&objects[k], &resource, &texture, nullptr), "the texture");
    }
    Array<cudaTextureObject_t> vectors(2, [&](int k) { return objects[k]; });
    fetch<<<2, N / 2>>>(vectors.device(), which.device(), out.device());
    out.expect("elements", [&](int i) {
        const int last = N - i;  // beyond the end it is 0
        return (which[i] ? two : one)[i] + (last == N ? 0 : (i < N / 2 ? one : two)[last]);
    });
    return verdict();
}
