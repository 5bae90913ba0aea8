// fp16 and bf16: sums, products, comparisons and packed arithmetic, on numbers small enough to be exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "simt/test/agreement/check.h"

template <class Half>
__device__ float walk(Half x, Half y) {
    Half sum = x;
    for (int k = 0; k < 4; ++k) {
        if (__hgt(y, x))
            sum = __hadd(sum, y);
        else
            sum = __hfma(x, y, sum);
        y = __hmul(y, x);
        if (__heq(y, sum)) break;
    }
    return static_cast<float>(sum);
}

__global__ void scalar(const int* in, float* out) {
    const int x = in[global_thread()] % 3, y = in[global_thread() ^ 1] % 3;
    out[global_thread()] =
        walk(__int2half_rn(x), __int2half_rn(y)) + 1000 * walk(__int2bfloat16_rn(x), __int2bfloat16_rn(y));
}

__global__ void packed(const int* in, float2* out, int2* compared) {
    const __half2 x = __floats2half2_rn(in[global_thread()] % 20, 2.0f),
                  y = __floats2half2_rn(3.0f, in[global_thread() ^ 1] % 20);
    __half2 sum = __hfma2(x, y, __hadd2(x, __lowhigh2highlow(y)));
    sum = __hmax2(sum, __hmul2(x, __float2half2_rn(2.0f)));
    out[global_thread()] = __half22float2(sum);
    const __half2 above = __hgt2(x, y);
    compared[global_thread()] = make_int2(__low2float(above), __hbeq2(x, y));
}

float walk_on_host(float x, float y) {
    float sum = x;
    for (int k = 0; k < 4; ++k) {
        sum = y > x ? sum + y : x * y + sum;
        y *= x;
        if (y == sum) break;
    }
    return sum;
}

int main() {
    const int n = 128;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); });
    Array<float> out(n);
    scalar<<<2, 64>>>(in, out);
    out.expect("scalar", [&](int i) { return 1001 * walk_on_host(in[i] % 3, in[i ^ 1] % 3); });
    Array<float2> pairs(n);
    Array<int2> compared(n);
    packed<<<2, 64>>>(in, pairs, compared);
    pairs.download();
    compared.download();
    for (int i = 0; i < n; ++i) {
        const float x = in[i] % 20, y = in[i ^ 1] % 20;
        const float low = std::fmax(x * 3 + x + y, 2 * x), high = std::fmax(2 * y + 2 + 3, 4.0f);
        if (pairs[i].x != low || pairs[i].y != high || compared[i].x != (x > 3) ||
            compared[i].y != (x == 3 && y == 2))
            return std::printf("packed: element %d is %g, %g, not %g, %g\n", i, pairs[i].x, pairs[i].y, low,
                               high),
                   1;
    }
    return verdict();
}
