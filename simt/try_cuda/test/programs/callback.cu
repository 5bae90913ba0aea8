// A function of the host in a stream: it runs after the kernel, before the next one.
// Prints: 2 5
// Counts: launches 2
#include <cstdio>

__global__ void add(int* value, int what) { *value += what; }

struct Seen {
    int *value, then;
};

int main() {
    Seen seen{nullptr, 0};
    cudaMallocManaged(&seen.value, sizeof(int));
    *seen.value = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    add<<<1, 1, 0, stream>>>(seen.value, 2);
    const auto look = [](void* data) { static_cast<Seen*>(data)->then = *static_cast<Seen*>(data)->value; };
    cudaLaunchHostFunc(stream, look, &seen);
    add<<<1, 1, 0, stream>>>(seen.value, 3);
    cudaStreamSynchronize(stream);
    std::printf("%d %d\n", seen.then, *seen.value);
}
