// Barriers within loops and branches that whole blocks or whole warps take, between phases of different
// lengths.
#include "simt/test/agreement/check.h"

__global__ void phases(const int* in, int* out, int n) {
    __shared__ int row[96];
    const int t = threadIdx.x;
    row[t] = in[global_thread()];
    __syncthreads();
    int total = 0;
    for (int phase = 0; row[0] > 0 && phase < n; ++phase) {
        const int value = row[(t + phase) % 96];
        __syncthreads();
        if (blockIdx.x % 2 == 0) {
            row[t] = value / 2 + phase;
            __syncthreads();
            total += row[95 - t];
        } else if (t / 32 != 1) {
            for (int k = 0; k < t / 32 + phase; ++k) total += value >> k;
        }
        __syncthreads();
        if (t == phase) row[0] = total % 16;
        __syncthreads();
    }
    out[global_thread()] = total;
}

int main() {
    const int blocks = 3, n = blocks * 96, count = 9;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000) + 1; }), out(n);
    phases<<<blocks, 96>>>(in, out, count);
    std::vector<int> want(n);
    for (int block = 0; block < blocks; ++block) {
        std::vector<int> row(96), total(96);
        for (int t = 0; t < 96; ++t) row[t] = in[block * 96 + t];
        for (int phase = 0; row[0] > 0 && phase < count; ++phase) {
            const std::vector<int> old = row;
            for (int t = 0; t < 96; ++t)
                if (block % 2 == 0)
                    row[t] = old[(t + phase) % 96] / 2 + phase;
                else if (t / 32 != 1)
                    for (int k = 0; k < t / 32 + phase; ++k) total[t] += old[(t + phase) % 96] >> k;
            for (int t = 0; t < 96 && block % 2 == 0; ++t) total[t] += row[95 - t];
            row[0] = total[phase] % 16;
        }
        for (int t = 0; t < 96; ++t) want[block * 96 + t] = total[t];
    }
    out.expect("phases", [&](int i) { return want[i]; });
    return verdict();
}
