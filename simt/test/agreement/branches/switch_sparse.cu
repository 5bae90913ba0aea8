// A switch over numbers far apart, which the compiler turns into a tree of comparisons; some cases fall
// through.
#include "simt/test/agreement/check.h"

__host__ __device__ int operate(int key, int x) {
    int y = x;
    switch (key) {
        case 3: y = x * 5; break;
        case 1000: y = x - 77; [[fallthrough]];
        case 40: y = y * y; break;
        case 70000:
            for (int k = 0; k < x % 9; ++k) y = y * 3 + k;
            break;
        case -5: y = x / 3; [[fallthrough]];
        case 512: y += 9; [[fallthrough]];
        case 999999: y ^= 0x55; break;
        default: y = -x;
    }
    return y;
}

__global__ void choose(const int* keys, const int* in, int* out) {
    const int i = global_thread();
    out[i] = operate(keys[i], in[i]);
}

int main() {
    static const int KEYS[] = {3, 1000, 40, 70000, -5, 512, 999999, 1, 100};
    Array<int> keys(256, [](int i) { return KEYS[random_word(i) % 9]; }),
        in(256, [](int i) { return int(random_word(i) % 5000); });
    Array<int> out(256);
    choose<<<2, 128>>>(keys, in, out);
    out.expect("switch", [&](int i) { return operate(keys[i], in[i]); });
    return verdict();
}
