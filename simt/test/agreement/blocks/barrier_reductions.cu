// Block barriers that count, or that tell whether all or any threads agree.
#include "simt/test/agreement/check.h"

__global__ void agree(const int* in, int* out) {
    int value = in[global_thread()];
    int rounds = 0;
    while (__syncthreads_or(value > 10)) {
        value = value > 10 ? value / 3 + threadIdx.x % 5 : value;
        ++rounds;
    }
    const int small = __syncthreads_count(value < 5);
    const int all = __syncthreads_and(value < 11);
    out[global_thread()] = value * 10000 + rounds * 1000 + small * 2 + (all != 0);
}

int main() {
    const int threads = 80, n = 2 * threads;
    Array<int> in(n, [](int i) { return int(random_word(i) % 5000); }), out(n);
    agree<<<2, threads>>>(in, out);
    out.expect("barriers", [&](int i) {
        const int first = i / threads * threads;
        std::vector<int> v(threads);
        for (int t = 0; t < threads; ++t) v[t] = in[first + t];
        int rounds = 0, small = 0;
        for (bool any = true; any;) {
            any = false;
            for (int t = 0; t < threads; ++t) any |= v[t] > 10;
            if (!any) break;
            for (int t = 0; t < threads; ++t) v[t] = v[t] > 10 ? v[t] / 3 + t % 5 : v[t];
            ++rounds;
        }
        for (int t = 0; t < threads; ++t) small += v[t] < 5;
        return v[i - first] * 10000 + rounds * 1000 + small * 2 + 1;
    });
    return verdict();
}
