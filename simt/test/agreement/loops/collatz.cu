// Loops whose end depends on what they compute: Collatz sequences, and the Mandelbrot set.
#include "simt/test/agreement/check.h"

__host__ __device__ int steps(unsigned n) {
    int k = 0;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        ++k;
    }
    return k;
}

__global__ void collatz(int* out) { out[global_thread()] = steps(global_thread() + 1); }

__global__ void mandelbrot(int* out, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float re = __fsub_rn(__fmul_rn(x, 0.09375f), 2.0f), im = __fsub_rn(__fmul_rn(y, 0.125f), 1.0f);
    float a = 0, b = 0;
    int k = 0;
    for (; k < 100; ++k) {
        const float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b);
        if (__fadd_rn(aa, bb) > 4.0f) break;
        b = __fadd_rn(__fmul_rn(__fmul_rn(2.0f, a), b), im);
        a = __fadd_rn(__fsub_rn(aa, bb), re);
    }
    out[y * width + x] = k;
}

int main() {
    Array<int> out(256), pixels(32 * 16);
    collatz<<<2, 128>>>(out);
    out.expect("collatz", [](int i) { return steps(i + 1); });
    mandelbrot<<<dim3(2, 4), dim3(16, 4)>>>(pixels, 32);
    pixels.expect("mandelbrot", [](int i) {
        const volatile float re = i % 32 * 0.09375f - 2.0f, im = i / 32 * 0.125f - 1.0f;
        volatile float a = 0, b = 0;
        int k = 0;
        for (; k < 100; ++k) {
            const volatile float aa = a * a, bb = b * b, sum = aa + bb, twice = 2.0f * a, product = twice * b,
                                 difference = aa - bb;
            if (sum > 4.0f) break;
            b = product + im;
            a = difference + re;
        }
        return k;
    });
    return verdict();
}
