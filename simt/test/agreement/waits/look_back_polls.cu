// A scan whose blocks wait for the totals of those before them: volatile flags, fences, an order taken from a
// counter.
#include "simt/test/agreement/check.h"

__global__ void scan(const int* in, int* out, int* counter, volatile int* totals, volatile int* flags) {
    __shared__ int row[128];
    __shared__ int tile, before;
    const int t = threadIdx.x;
    if (t == 0) tile = atomicAdd(counter, 1);
    __syncthreads();
    int value = in[tile * 128 + t];
    row[t] = value;
    for (int stride = 1; stride < 128; stride *= 2) {
        __syncthreads();
        if (t >= stride) value += row[t - stride];
        __syncthreads();
        row[t] = value;
    }
    if (t == 127) {
        int sum = 0;
        if (tile > 0) {
            while (flags[tile - 1] == 0) {
            }
            __threadfence();
            sum = totals[tile - 1];
        }
        totals[tile] = sum + value;
        __threadfence();
        flags[tile] = 1;
        before = sum;
    }
    __syncthreads();
    out[tile * 128 + t] = value + before;
}

int main() {
    const int blocks = 6, n = blocks * 128;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n), counter(1), totals(blocks),
        flags(blocks);
    scan<<<blocks, 128>>>(in, out, counter, totals.device(), flags.device());
    int sum = 0;
    out.expect("scan", [&](int i) { return sum += in[i]; });
    return verdict();
}
