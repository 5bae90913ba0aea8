// Warps and lanes that have left before others wait at a barrier.
#include "simt/test/agreement/check.h"

__global__ void leave_before_barrier(const int* in, int* out, int leave) {
    __shared__ int row[128];
    const int t = threadIdx.x;
    row[t] = in[global_thread()];
    __syncthreads();
    if (t / 32 == leave) return;
    const int value = row[127 - t];
    __syncthreads();
    row[t] = value;
    __syncthreads();
    if (t % 5 == 0 && t >= 96) return;
    out[global_thread()] = row[t] + row[t ^ 1];
}

int main() {
    const int n = 256;
    for (int leave = 0; leave < 3; ++leave) {
        Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n, -1);
        leave_before_barrier<<<2, 128>>>(in, out, leave);
        out.expect("barrier", [&](int i) {
            const int t = i % 128, first = i - t;
            if (t / 32 == leave || (t % 5 == 0 && t >= 96)) return -1;
            return in[first + 127 - t] + in[first + 127 - (t ^ 1)];
        });
    }
    return verdict();
}
