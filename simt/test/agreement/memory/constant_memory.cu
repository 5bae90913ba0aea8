// Constant memory, indexed alike by all lanes and differently by each; written by the host between launches.
#include "simt/test/agreement/check.h"

__constant__ int table[64];
__constant__ float weights[5] = {0.5f, 1.0f, 2.0f, 1.0f, 0.5f};
__constant__ unsigned char bytes[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
struct Pair {
    int first;
    long long second;
};
__constant__ Pair pairs[4] = {{1, 10}, {2, 200}, {3, 3000}, {4, 40000}};

__global__ void look_up(const int* in, int* out) {
    const int x = in[global_thread()];
    int sum = table[x % 64] + table[blockIdx.x];
    for (int k = 0; k < x % 4; ++k) sum = sum * 3 + table[(x >> 3) + k & 63] + bytes[(x + k) % 16];
    const Pair pair = pairs[x % 4];
    out[global_thread()] = sum + pair.first * static_cast<int>(pair.second);
}

__global__ void smooth(const int* in, float* out, int n) {
    const int i = global_thread();
    float sum = 0;
    for (int k = -2; k <= 2; ++k)
        if (i + k >= 0 && i + k < n) sum += weights[k + 2] * in[i + k];
    out[i] = sum;
}

int main() {
    const int n = 128;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n);
    Array<float> smoothed(n);
    for (int round = 1; round <= 2; ++round) {
        int values[64];
        for (int k = 0; k < 64; ++k) values[k] = k * k * round;
        ensure(cudaMemcpyToSymbol(table, values, sizeof values), "cudaMemcpyToSymbol");
        look_up<<<2, 64>>>(in, out);
        out.expect("table", [&](int i) {
            static const int BYTES[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
            static const int PRODUCTS[] = {10, 400, 9000, 160000};
            const int x = in[i];
            int sum = values[x % 64] + values[i / 64];
            for (int k = 0; k < x % 4; ++k) sum = sum * 3 + values[(x >> 3) + k & 63] + BYTES[(x + k) % 16];
            return sum + PRODUCTS[x % 4];
        });
    }
    smooth<<<2, 64>>>(in, smoothed, n);
    smoothed.expect("smooth", [&](int i) {
        static const float WEIGHTS[] = {0.5f, 1, 2, 1, 0.5f};
        float sum = 0;
        for (int k = -2; k <= 2; ++k)
            if (i + k >= 0 && i + k < n) sum += WEIGHTS[k + 2] * in[i + k];
        return sum;
    });
    return verdict();
}
