// Double precision: Newton's method to convergence, quotients, a dot product, conversions.
#include "simt/test/agreement/check.h"

__global__ void cube_roots(const double* in, double* out, int* steps) {
    const double x = in[global_thread()];
    double root = x > 1 ? x / 3 : 1.0;
    int k = 0;
    for (; k < 60; ++k) {
        const double next = (2 * root + x / (root * root)) / 3;
        if (fabs(next - root) <= 1e-14 * root) break;
        root = next;
    }
    out[global_thread()] = root;
    steps[global_thread()] = k;
}

__global__ void dot(const double* in, float* out, int n) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum = fma(in[k], in[(k + global_thread()) % n], sum);
    out[global_thread()] = static_cast<float>(sqrt(sum) + static_cast<int>(sum) % 7);
}

int main() {
    const int n = 64;
    Array<double> in(n, [](int i) { return (random_word(i) % 1000000 + 1) / 977.0; }), out(n);
    Array<int> steps(n);
    Array<float> floats(n);
    cube_roots<<<1, n>>>(in, out, steps);
    out.expect_near("roots", 1e-13, [&](int i) { return std::cbrt(in[i]); });
    dot<<<2, 32>>>(in, floats, n);
    floats.expect("dot", [&](int i) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum = std::fma(in[k], in[(k + i) % n], sum);
        return std::sqrt(sum) + int(sum) % 7;
    });
    return verdict();
}
