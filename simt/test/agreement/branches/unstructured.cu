// Jumps into and out of loops, by goto: control flow that is no nest of loops and branches.
#include "simt/test/agreement/check.h"

__host__ __device__ unsigned walk(unsigned x, const unsigned* table) {
    unsigned y = x, k = 0;
    if (x & 1) goto middle;
again:
    y = y * 3 + table[y % 32];
    if (++k > 12) goto end;
middle:
    y ^= y >> 5;
    if ((y & 7) == 3) goto again;
    while (k < 12) {
        y += table[k];
        if (y % 5 == 0) goto again;
        if (y % 7 == 0) goto middle_end;
        ++k;
    }
    y = ~y;
middle_end:
    if (y & 2) {
        ++k;
        if (k < 9) goto middle;
    }
end:
    return y + k;
}

__global__ void jump(const unsigned* in, const unsigned* table, unsigned* out) {
    out[global_thread()] = walk(in[global_thread()], table);
}

int main() {
    Array<unsigned> in(256, [](int i) { return random_word(i); }),
        table(32, [](int i) { return random_word(i + 50); });
    Array<unsigned> out(256);
    jump<<<2, 128>>>(in, table, out);
    out.expect("jumps", [&](int i) { return walk(in[i], &table[0]); });
    return verdict();
}
