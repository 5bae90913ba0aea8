// A matrix transposed naively, through shared memory with bank conflicts, and through padded shared memory.
#include "simt/test/agreement/check.h"

constexpr int N = 64;

template <class T>
__global__ void naive(const T* in, T* out) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < (blockIdx.y + 1) * 32; y += 8)
        out[x * N + y] = in[y * N + x];
}

template <class T, int WIDTH>
__global__ void through_shared(const T* in, T* out) {
    __shared__ T tile[32][WIDTH];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * N + x];
    __syncthreads();
    const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) out[(v + k) * N + u] = tile[threadIdx.x][threadIdx.y + k];
}

template <class T>
void check() {
    Array<T> in(N * N, [](int i) { return T(random_word(i)); }), out(N * N);
    const auto want = [&](int i) { return in[i % N * N + i / N]; };
    naive<T><<<dim3(2, 2), dim3(32, 8)>>>(in, out);
    out.expect("naive", want);
    through_shared<T, 32><<<dim3(2, 2), dim3(32, 8)>>>(in, out);
    out.expect("conflicts", want);
    through_shared<T, 33><<<dim3(2, 2), dim3(32, 8)>>>(in, out);
    out.expect("padded", want);
}

int main() {
    check<float>();
    check<double>();
    check<short>();
    return verdict();
}
