// Threads that leave the kernel early, at three places, before others go on.
#include "simt/test/agreement/check.h"

__global__ void leaving(const int* in, int* out, int n) {
    const int i = global_thread();
    if (i >= n) return;
    int value = in[i];
    if (value % 4 == 0) return;
    for (int k = 0, times = value % 7; k < times; ++k) value = value * 3 + k;
    if (value % 5 == 0) return;
    out[i] = value;
}

int main() {
    const int n = 300;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n, -1);
    leaving<<<5, 64>>>(in, out, n);
    out.expect("exit", [&](int i) {
        int value = in[i];
        if (value % 4 == 0) return -1;
        for (int k = 0, times = value % 7; k < times; ++k) value = value * 3 + k;
        return value % 5 == 0 ? -1 : value;
    });
    return verdict();
}
