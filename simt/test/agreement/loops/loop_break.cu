// Loops that lanes break out of at different times, one within another.
#include "simt/test/agreement/check.h"

__host__ __device__ int search(const int* in, int n, int start) {
    int found = -1, steps = 0;
    for (int i = start; i < n; ++i) {
        ++steps;
        if (in[i] % 17 == 3) {
            found = i;
            break;
        }
        for (int k = i; k < n; k += 13) {
            steps += 2;
            if (in[k] % 11 == 5) break;
            if (steps > 200) break;
        }
        if (steps > 150) break;
    }
    return found * 1000 + steps;
}

__global__ void breaking(const int* in, int* out, int n) {
    out[global_thread()] = search(in, n, global_thread());
}

int main() {
    const int n = 320;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n);
    breaking<<<5, 64>>>(in, out, n);
    out.expect("break", [&](int i) { return search(&in[0], n, i); });
    return verdict();
}
