// A grid-stride loop over more elements than threads, whose last round only some blocks have.
#include "simt/test/agreement/check.h"

__global__ void axpy(float a, const float* x, float* y, int n) {
    for (int i = global_thread(); i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

__global__ void sum(const int* in, int* out, size_t n) {
    int total = 0;
    for (size_t i = global_thread(); i < n; i += size_t(gridDim.x) * blockDim.x) total += in[i];
    atomicAdd(out, total);
}

int main() {
    const int n = 3001;
    Array<float> x(n, [](int i) { return float(i % 50); }), y(n, [](int i) { return float(i % 7); });
    axpy<<<4, 96>>>(2.0f, x, y, n);
    y.expect("axpy", [](int i) { return 2.0f * (i % 50) + i % 7; });
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(1);
    int want = 0;
    for (int i = 0; i < n; ++i) want += in[i];
    sum<<<4, 96>>>(in, out, n);
    out.expect("sum", [&](int) { return want; });
    return verdict();
}
