// A loop whose lanes continue at different places.
#include "simt/test/agreement/check.h"

__host__ __device__ int walk(const int* in, int n, int start) {
    int sum = 0;
    for (int k = 0; k < 40; ++k) {
        const int value = in[(start + k * 7) % n];
        if (value % 3 == 0) continue;
        sum += value;
        if (value % 5 == 0) continue;
        sum = sum * 3 - in[(start + value) % n];
        if (sum < 0) {
            sum = -sum / 7;
            continue;
        }
        sum ^= k;
    }
    return sum;
}

__global__ void continuing(const int* in, int* out, int n) {
    out[global_thread()] = walk(in, n, global_thread());
}

int main() {
    const int n = 256;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n);
    continuing<<<2, 128>>>(in, out, n);
    out.expect("continue", [&](int i) { return walk(&in[0], n, i); });
    return verdict();
}
