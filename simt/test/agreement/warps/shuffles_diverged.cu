// Shuffles of all four kinds among lanes that have parted, with the mask of those that take part.
#include "simt/test/agreement/check.h"

__global__ void shuffle(const int* in, int* out) {
    const int lane = threadIdx.x % 32;
    int value = in[global_thread()];
    if (lane < 16) {
        value += __shfl_up_sync(0x0000ffffu, value, 3, 16);
        if (lane % 2 == 0) value ^= __shfl_xor_sync(0x00005555u, value, 6);
    } else {
        value -= __shfl_down_sync(0xffff0000u, value, 5, 16);
        for (int k = 0; k < 3; ++k)
            value = value * 3 + __shfl_sync(0xffff0000u, value, 16 + (value + k & 15));
    }
    for (int k = 0, times = value & 3; k < times; ++k) value = value * 5 + k;
    value += __shfl_sync(~0u, value, value & 31);
    out[global_thread()] = value;
}

void warp(std::vector<int>& v) {
    std::vector<int> old = v;
    for (int l = 0; l < 16; ++l) v[l] += l >= 3 ? old[l - 3] : old[l];
    old = v;
    for (int l = 0; l < 16; l += 2) v[l] ^= old[l ^ 6];
    old = v;
    for (int l = 16; l < 32; ++l) v[l] -= l + 5 < 32 ? old[l + 5] : old[l];
    for (int k = 0; k < 3; ++k) {
        old = v;
        for (int l = 16; l < 32; ++l) v[l] = int(unsigned(v[l]) * 3) + old[16 + (old[l] + k & 15)];
    }
    for (int& value : v)
        for (int k = 0, times = value & 3; k < times; ++k) value = int(unsigned(value) * 5) + k;
    old = v;
    for (int l = 0; l < 32; ++l) v[l] += old[old[l] & 31];
}

int main() {
    Array<int> in(128, [](int i) { return int(random_word(i) % 100000); }), out(128);
    shuffle<<<2, 64>>>(in, out);
    std::vector<int> want;
    for (int first = 0; first < 128; first += 32) {
        std::vector<int> v(32);
        for (int l = 0; l < 32; ++l) v[l] = in[first + l];
        warp(v);
        want.insert(want.end(), v.begin(), v.end());
    }
    out.expect("shuffles", [&](int i) { return want[i]; });
    return verdict();
}
