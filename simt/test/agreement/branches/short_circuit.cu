// Conditions of several parts, joined by && and ||, whose later parts load only where the earlier ones let
// them.
#include "simt/test/agreement/check.h"

__host__ __device__ int judge(const int* in, int n, int i) {
    int sum = 0;
    for (int k = 0; k < 6; ++k) {
        const int at = i * 3 + k * 17;
        if (at < n && in[at] % 2 == 0 && in[in[at] % n] > 300) sum += 1;
        if (at >= n || in[at] < 100 || (in[at] % 3 == 0 && in[(at * 5) % n] % 2 == 1)) sum += 10;
        if (!(at < n && in[at] > 700) && (k & 1 || in[(i + k) % n] > 400)) sum += 100;
        sum += at < n ? (in[at] > 500 ? in[(at + 1) % n] : in[(at + 2) % n] % 7) : 3;
    }
    return sum;
}

__global__ void judge_all(const int* in, int* out, int n) {
    out[global_thread()] = judge(in, n, global_thread());
}

int main() {
    const int n = 256;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(128);
    judge_all<<<2, 64>>>(in, out, n);
    out.expect("conditions", [&](int i) { return judge(&in[0], n, i); });
    return verdict();
}
