// Atomic sums of floats, doubles and halves in global memory, contended; sums that are exact in any order.
#include <cuda_fp16.h>

#include "simt/test/agreement/check.h"

__global__ void sum(const int* in, float* floats, double* doubles, __half2* halves) {
    const int x = in[global_thread()];
    atomicAdd(floats, static_cast<float>(x));
    atomicAdd(floats + 1 + x % 7, 0.5f);
    if (x & 1) atomicAdd(doubles + threadIdx.x % 4, static_cast<double>(x) / 8);
    const float before = atomicAdd(floats + 8 + global_thread(), static_cast<float>(x));
    atomicAdd(doubles + 4, before + 1.0);
    atomicAdd(halves + x % 4, __floats2half2_rn(1.0f, 2.0f));
}

int main() {
    const int n = 256;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); });
    Array<float> floats(8 + n, 1.0f);
    Array<double> doubles(5, 0.25);
    Array<__half2> halves(4, __floats2half2_rn(0.0f, 0.0f));
    sum<<<2, 128>>>(in, floats, doubles, halves);
    std::vector<double> want_floats(8 + n, 1.0), want_doubles(5, 0.25);
    std::vector<int> want_halves(4);
    for (int i = 0; i < n; ++i) {
        want_floats[0] += in[i];
        want_floats[1 + in[i] % 7] += 0.5;
        if (in[i] & 1) want_doubles[i % 4] += in[i] / 8.0;
        want_floats[8 + i] += in[i];
        want_doubles[4] += 2;
        want_halves[in[i] % 4] += 1;
    }
    floats.expect("floats", [&](int i) { return want_floats[i]; });
    doubles.expect("doubles", [&](int i) { return want_doubles[i]; });
    halves.download();
    for (int i = 0; i < 4; ++i)
        if (__low2float(halves[i]) != want_halves[i] || __high2float(halves[i]) != 2 * want_halves[i])
            return std::printf("halves: element %d differs\n", i), 1;
    return verdict();
}
