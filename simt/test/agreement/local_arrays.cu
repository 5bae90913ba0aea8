// Arrays of a thread that are indexed at run time: they live in local memory. Bytes, words, and pairs of
// words.
#include "simt/test/agreement/check.h"

__host__ __device__ int sort_and_pick(const int* in, int n, int start) {
    int own[20];
    unsigned char count[16] = {};
    for (int k = 0; k < 20; ++k) own[k] = in[(start + k * 3) % n];
    for (int i = 1; i < 20; ++i) {
        const int value = own[i];
        int k = i;
        for (; k > 0 && own[k - 1] > value; --k) own[k] = own[k - 1];
        own[k] = value;
    }
    for (int k = 0; k < 20; ++k) ++count[own[k] % 16];
    int most = 0;
    for (int k = 1; k < 16; ++k)
        if (count[k] > count[most]) most = k;
    return own[start % 20] * 16 + most;
}

__host__ __device__ long long pairs(int start) {
    struct Pair {
        int x, y;
    };
    Pair own[9];
    for (int k = 0; k < 9; ++k) own[k] = {k * start, start - k};
    for (int k = 0; k < start % 11; ++k) own[(k * start) % 9] = own[(k + start) % 9];
    return own[start % 9].x * 1000ll + own[(start + 4) % 9].y;
}

__global__ void local_words(const int* in, int* out, int n) {
    out[global_thread()] = sort_and_pick(in, n, global_thread());
}
__global__ void local_pairs(long long* out) { out[global_thread()] = pairs(global_thread()); }

int main() {
    const int n = 96;
    Array<int> in(n, [](int i) { return int(random_word(i) % 500); }), out(n);
    local_words<<<2, 48>>>(in, out, n);
    out.expect("sorted", [&](int i) { return sort_and_pick(&in[0], n, i); });
    Array<long long> longs(64);
    local_pairs<<<1, 64>>>(longs);
    longs.expect("pairs", [](int i) { return pairs(i); });
    return verdict();
}
