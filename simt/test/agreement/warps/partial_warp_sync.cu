// Lanes that meet in groups: __syncwarp with the masks of halves and quarters, on both sides of a branch.
#include "simt/test/agreement/check.h"

__global__ void meet(const int* in, int* out) {
    __shared__ int row[64];
    const int t = threadIdx.x, lane = t % 32;
    int value = in[global_thread()];
    if (lane < 8) {
        row[t] = value * 3;
        __syncwarp(0x000000ff);
        value += row[t ^ 7];
        __syncwarp(0x000000ff);
        row[t] = value;
        __syncwarp(0x000000ff);
        value -= row[t ^ 2];
    } else if (lane < 16) {
        for (int k = 0, times = value & 7; k < times; ++k) value = value * 3 + k;
        row[t] = value;
        __syncwarp(0x0000ff00);
        value ^= row[t ^ 5];
    } else {
        if (lane & 1) value = -value;
        __syncwarp(0xffff0000);
        row[t] = value;
        __syncwarp(0xffff0000);
        value += row[t ^ 15];
    }
    __syncwarp();
    row[t] = value;
    __syncwarp();
    out[global_thread()] = value + row[t ^ 31];
}

int main() {
    const int n = 128;
    Array<int> in(n, [](int i) { return int(random_word(i) % 10000); }), out(n);
    meet<<<2, 64>>>(in, out);
    std::vector<int> v(n);
    for (int i = 0; i < n; ++i) v[i] = in[i];
    std::vector<int> old = v;
    for (int i = 0; i < n; ++i) {
        const int lane = i % 32;
        if (lane < 8)
            v[i] += old[i ^ 7] * 3;
        else if (lane < 16)
            for (int k = 0, times = v[i] & 7; k < times; ++k) v[i] = v[i] * 3 + k;
        else if (lane & 1)
            v[i] = -v[i];
    }
    old = v;
    for (int i = 0; i < n; ++i) {
        const int lane = i % 32;
        if (lane < 8)
            v[i] -= old[i ^ 2];
        else if (lane < 16)
            v[i] ^= old[i ^ 5];
        else
            v[i] += old[i ^ 15];
    }
    out.expect("meetings", [&](int i) { return v[i] + v[i ^ 31]; });
    return verdict();
}
