// A function that returns from within two loops.
#include "simt/test/agreement/check.h"

__host__ __device__ int first_pair(const int* in, int n, int sum) {
    for (int i = 0; i < n; ++i) {
        if (in[i] > sum) continue;
        for (int k = i + 1; k < n; ++k) {
            if (in[i] + in[k] == sum) return i * n + k;
            if (in[k] == 0) return -2;
        }
    }
    return -1;
}

__global__ void find_pairs(const int* in, int* out, int n) {
    out[global_thread()] = first_pair(in, n, global_thread() + 20);
}

int main() {
    const int n = 24;
    Array<int> in(n, [](int i) { return int(random_word(i) % 80) + 1; }), out(128);
    find_pairs<<<2, 64>>>(in, out, n);
    out.expect("pair", [&](int i) { return first_pair(&in[0], n, i + 20); });
    return verdict();
}
