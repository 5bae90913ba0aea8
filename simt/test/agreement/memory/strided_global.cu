// Global loads and stores at strides of 1 to 33 words, from misaligned starts, forwards and backwards.
#include "simt/test/agreement/check.h"

template <class T>
__global__ void stride_by(const T* in, T* out, int stride, int start, int n) {
    const int i = (global_thread() * stride + start) % n;
    out[n - 1 - i] = in[i] + T(1);
}

template <class T>
void check(const char* name, int stride, int start) {
    const int n = 8209;  // a prime: no two threads meet
    Array<T> in(n, [](int i) { return T(random_word(i)); }), out(n);
    stride_by<<<2, 96>>>(in.device(), out.device(), stride, start, n);
    std::vector<T> want(n);
    for (int k = 0; k < 192; ++k) {
        const int i = (k * stride + start) % n;
        want[n - 1 - i] = in[i] + T(1);
    }
    out.expect(name, [&](int i) { return want[i]; });
}

int main() {
    for (const int stride : {1, 2, 3, 8, 16, 33}) check<int>("words", stride, 5);
    check<double>("doubles", 1, 3);
    check<double>("doubles", 5, 0);
    check<short>("shorts", 1, 1);
    return verdict();
}
