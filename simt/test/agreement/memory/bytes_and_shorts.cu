// Bytes and shorts at odd strides, in global and shared memory: legal, and aligned to no word.
#include "simt/test/agreement/check.h"

template <class T>
__global__ void gather(const T* in, T* out, int n, int stride) {
    __shared__ T row[512];
    const int t = threadIdx.x;
    for (int k = t; k < 512; k += 128) row[(k * stride + 1) % 512] = in[(blockIdx.x * 512 + k) % n];
    __syncthreads();
    T sum = 0;
    for (int k = 0; k < 4; ++k) sum = static_cast<T>(sum * 3 + row[(t * 3 + k * stride) % 512]);
    out[global_thread() * stride % n] = static_cast<T>(sum + in[(global_thread() * 7 + 1) % n]);
}

template <class T>
void check(const char* name, int stride) {
    const int n = 1031;
    Array<T> in(n, [](int i) { return static_cast<T>(random_word(i)); }), out(n);
    gather<<<2, 128>>>(in.device(), out.device(), n, stride);
    std::vector<T> want(n);
    for (int i = 0; i < 256; ++i) {
        const int first = i / 128 * 512, t = i % 128;
        std::vector<T> row(512);
        for (int k = 0; k < 512; ++k) row[(k * stride + 1) % 512] = in[(first + k) % n];
        T sum = 0;
        for (int k = 0; k < 4; ++k) sum = static_cast<T>(sum * 3 + row[(t * 3 + k * stride) % 512]);
        want[i * stride % n] = static_cast<T>(sum + in[(i * 7 + 1) % n]);
    }
    out.expect(name, [&](int i) { return want[i]; });
}

int main() {
    check<unsigned char>("bytes", 3);
    check<signed char>("signed bytes", 5);
    check<short>("shorts", 7);
    check<unsigned short>("unsigned shorts", 1);
    return verdict();
}
