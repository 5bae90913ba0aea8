// Named barriers: producer warps arrive, consumer warps wait, and halves of a block meet by themselves.
#include "simt/test/agreement/check.h"

__device__ void meet(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ void arrive(int barrier, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__global__ void pipeline(const int* in, int* out, int rounds) {
    __shared__ int row[64];
    const int t = threadIdx.x % 64;
    const bool produces = threadIdx.x < 64;
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        if (produces) {
            if (round > 0) meet(2, 128);
            row[t] = in[(blockIdx.x * rounds + round) * 64 + t];
            arrive(1, 128);
        } else {
            meet(1, 128);
            sum = sum * 3 + row[(t + round) % 64];
            if (round + 1 < rounds) arrive(2, 128);
        }
    }
    if (!produces) out[blockIdx.x * 64 + t] = sum;
}

__global__ void halves(const int* in, int* out) {
    __shared__ int row[128];
    const int t = threadIdx.x;
    row[t] = in[global_thread()];
    meet(3 + t / 64, 64);
    int value = row[t ^ 63];
    if (t < 64) {
        meet(3, 64);
        row[t] = value * 2;
        meet(3, 64);
        value += row[t ^ 1];
    }
    out[global_thread()] = value;
}

int main() {
    const int blocks = 2, rounds = 5;
    Array<int> in(blocks * rounds * 64, [](int i) { return int(random_word(i) % 1000); }), out(blocks * 64),
        pairs(blocks * 128);
    pipeline<<<blocks, 128>>>(in, out, rounds);
    out.expect("pipeline", [&](int i) {
        int sum = 0;
        for (int round = 0; round < rounds; ++round)
            sum = sum * 3 + in[(i / 64 * rounds + round) * 64 + (i + round) % 64];
        return sum;
    });
    halves<<<blocks, 128>>>(in, pairs);
    pairs.expect("halves",
                 [&](int i) { return i % 128 < 64 ? in[i ^ 63] + 2 * in[i ^ 1 ^ 63] : in[i ^ 63]; });
    return verdict();
}
