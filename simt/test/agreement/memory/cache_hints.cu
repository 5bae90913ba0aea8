// Loads and stores with cache hints: read-only, streaming, last use, uncached; prefetches; loads of const
// __restrict__.
#include "simt/test/agreement/check.h"

__global__ void hints(const int* in, int* out, int n) {
    const int i = global_thread();
    int sum = __ldg(in + i) + __ldcg(in + (i + 1) % n) * 3 + __ldcs(in + (i * 5) % n) * 5;
    if (i % 3 == 0) sum += __ldca(in + (i + 7) % n) + __ldlu(in + (i + 9) % n);
    if (i % 4 != 1) sum -= __ldcv(in + (i * 3) % n);
    const int4 four = __ldg(reinterpret_cast<const int4*>(in) + i / 4);
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i));
    __stcs(out + i, sum + four.x - four.w);
    if (i % 5 == 2) __stcg(out + i, sum);
    if (i % 5 == 3) __stwt(out + i, sum * 2);
}

__global__ void restricted(const short* __restrict__ in, short* __restrict__ out) {
    const int i = global_thread();
    out[i] = static_cast<short>(in[i] + in[i ^ 1] * 3 + in[i ^ 31]);
}

int main() {
    const int n = 256;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n);
    hints<<<2, 128>>>(in, out, n);
    out.expect("hints", [&](int i) {
        int sum = in[i] + in[(i + 1) % n] * 3 + in[(i * 5) % n] * 5;
        if (i % 3 == 0) sum += in[(i + 7) % n] + in[(i + 9) % n];
        if (i % 4 != 1) sum -= in[(i * 3) % n];
        return i % 5 == 2 ? sum : i % 5 == 3 ? sum * 2 : sum + in[i / 4 * 4] - in[i / 4 * 4 + 3];
    });
    Array<short> shorts(n, [](int i) { return short(random_word(i) % 1000); }), sums(n);
    restricted<<<2, 128>>>(shorts, sums);
    sums.expect("restricted", [&](int i) { return short(shorts[i] + shorts[i ^ 1] * 3 + shorts[i ^ 31]); });
    return verdict();
}
