// Division, square root, sine and power of floats, of which some lanes have values that need the slow path.
#include "simt/test/agreement/check.h"

__global__ void slow(const float* in, float* quotients, float* roots, float* sines, float* powers) {
    const int i = global_thread();
    const float x = in[i], y = in[i ^ 1];
    quotients[i] = x / y;
    roots[i] = sqrtf(fabsf(x)) + 1.0f / x;
    sines[i] = sinf(x);
    powers[i] = i % 3 == 0 ? powf(fabsf(y), 0.3f) : expf(-fabsf(fminf(fabsf(y), 50.0f)));
}

int main() {
    const int n = 128;
    Array<float> in(n, [](int i) {
        const float x = (random_word(i) % 100000 + 1) / 1000.0f - 40.0f;
        return i % 16 == 5 ? x * 1e36f : i % 16 == 9 ? x * 1e-39f : i % 8 == 3 ? x * 3e5f : x;
    });
    Array<float> quotients(n), roots(n), sines(n), powers(n);
    slow<<<2, 64>>>(in, quotients, roots, sines, powers);
    quotients.expect("quotients", [&](int i) { return in[i] / in[i ^ 1]; });
    roots.expect("roots", [&](int i) { return std::sqrt(std::fabs(in[i])) + 1.0f / in[i]; });
    sines.expect_near("sines", 1e-5, [&](int i) { return std::sin(double(in[i])); });
    powers.expect_near("powers", 1e-5, [&](int i) {
        const double y = std::fabs(double(in[i ^ 1]));
        return i % 3 == 0 ? std::pow(y, double(0.3f)) : std::exp(-std::fmin(y, 50.0));
    });
    return verdict();
}
