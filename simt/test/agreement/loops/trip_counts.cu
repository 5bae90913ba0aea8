// Loops that run as often as the lane's data says: unrolled by the compiler, with accesses to memory in them.
#include "simt/test/agreement/check.h"

__global__ void rows(const int* start, const float* values, float* out, int rows) {
    const int row = global_thread();
    if (row >= rows) return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; ++k) sum += values[k];
    out[row] = sum;
}

__global__ void triangles(const int* in, int* out) {
    __shared__ int row[64];
    const int t = threadIdx.x;
    row[t] = in[global_thread()];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i <= t; ++i)
        for (int k = i; k < t; k += 5) sum += row[k] ^ i;
    out[global_thread()] = sum;
}

int main() {
    const int n = 150;
    Array<int> start(n + 1, [](int i) {
        int sum = 0;
        for (int k = 0; k < i; ++k) sum += random_word(k) % 23 * (k % 4 != 2);
        return sum;
    });
    Array<float> values(start[n], [](int i) { return float(random_word(i) % 64); }), sums(n);
    rows<<<3, 64>>>(start, values, sums, n);
    sums.expect("rows", [&](int row) {
        float sum = 0;
        for (int k = start[row]; k < start[row + 1]; ++k) sum += values[k];
        return sum;
    });
    Array<int> in(128, [](int i) { return int(random_word(i) % 1000); }), out(128);
    triangles<<<2, 64>>>(in, out);
    out.expect("triangles", [&](int at) {
        const int t = at % 64;
        int sum = 0;
        for (int i = 0; i <= t; ++i)
            for (int k = i; k < t; k += 5) sum += in[at - t + k] ^ i;
        return sum;
    });
    return verdict();
}
