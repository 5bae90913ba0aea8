// Loops in which some lanes skip their loads and stores, of shared and of global memory.
#include "simt/test/agreement/check.h"

__global__ void skip_shared(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    row[t] = in[global_thread()];
    __syncthreads();
    for (int stride = 1; stride < 256; stride *= 2) {
        int sum = 0;
        if (t >= stride && t % 3 != 0) sum = row[t - stride];
        __syncthreads();
        if (sum != 0) row[t] += sum;
        __syncthreads();
    }
    out[global_thread()] = row[t];
}

__global__ void skip_global(const int* in, int* out, int n) {
    int sum = 0;
    for (int k = 0; k < 12; ++k) {
        const int i = global_thread() * 5 + k * 77;
        if (i < n && (threadIdx.x + k) % 4 != 1) sum += in[i];
        if (k % 5 == static_cast<int>(threadIdx.x % 5)) out[global_thread()] = sum;
    }
}

int main() {
    const int blocks = 3, n = blocks * 256;
    Array<int> in(n, [](int i) { return int(random_word(i) % 100); }), out(n);
    skip_shared<<<blocks, 256>>>(in, out);
    out.expect("shared", [&](int i) {
        std::vector<int> row(256);
        for (int t = 0; t < 256; ++t) row[t] = in[i / 256 * 256 + t];
        for (int stride = 1; stride < 256; stride *= 2) {
            const std::vector<int> before = row;
            for (int t = stride; t < 256; ++t)
                if (t % 3 != 0) row[t] += before[t - stride];
        }
        return row[i % 256];
    });
    skip_global<<<blocks, 256>>>(in, out, n);
    out.expect("global", [&](int i) {
        int sum = 0, last = 0;
        for (int k = 0; k < 12; ++k) {
            const int at = i * 5 + k * 77;
            if (at < n && (i % 256 + k) % 4 != 1) sum += in[at];
            if (k % 5 == i % 256 % 5) last = sum;
        }
        return last;
    });
    return verdict();
}
