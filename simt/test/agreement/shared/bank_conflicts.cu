// Shared memory read and written at many strides, in elements of 4, 8 and 16 bytes: banks collide as often as
// can be.
#include "simt/test/agreement/check.h"

template <class T>
__device__ T element(int i);
template <>
__device__ int element<int>(int i) {
    return i;
}
template <>
__device__ int2 element<int2>(int i) {
    return make_int2(i, i + 1);
}
template <>
__device__ int4 element<int4>(int i) {
    return make_int4(i, i + 1, i + 2, i + 3);
}
__device__ int first(int a) { return a; }
__device__ int first(int2 a) { return a.x + a.y; }
__device__ int first(int4 a) { return a.x + a.y + a.z + a.w; }

template <class T, int STRIDE>
__global__ void strided(int* out) {
    constexpr int N = 2048;
    __shared__ T row[N];
    for (int i = threadIdx.x; i < N; i += blockDim.x) row[i] = element<T>(0);
    __syncthreads();
    const int at = threadIdx.x * STRIDE % N;
    row[at] = element<T>(threadIdx.x * STRIDE / N * 0 + at);
    __syncthreads();
    out[threadIdx.x] = first(row[(at + STRIDE) % N]);
}

template <class T, int STRIDE>
void check(int words) {
    Array<int> out(64);
    strided<T, STRIDE><<<1, 64>>>(out);
    std::vector<int> row(2048, 0);
    for (int k = 0; k < 4 && k < words; ++k)
        for (int i = 0; i < 2048; ++i) row[i] += k;
    for (int t = 0; t < 64; ++t)
        row[t * STRIDE % 2048] = words * (t * STRIDE % 2048) + words * (words - 1) / 2;
    out.expect("strided", [&](int t) { return row[(t * STRIDE % 2048 + STRIDE) % 2048]; });
}

template <int STRIDE>
void check_all() {
    check<int, STRIDE>(1);
    check<int2, STRIDE>(2);
    check<int4, STRIDE>(4);
}

int main() {
    check_all<1>();
    check_all<2>();
    check_all<3>();
    check_all<4>();
    check_all<8>();
    check_all<16>();
    check_all<17>();
    check_all<32>();
    return verdict();
}
