// Branches within branches, four deep, on bits of data that differ from lane to lane.
#include "simt/test/agreement/check.h"

__host__ __device__ unsigned walk(unsigned x, const unsigned* table) {
    unsigned y = x;
    if (x & 1) {
        y += table[x % 64];
        if (x & 2) {
            y ^= table[y % 64];
            if (x & 4) {
                y *= 3;
                if (x & 8)
                    y -= table[(y >> 3) % 64];
                else
                    y += 11;
            } else if (x & 16) {
                for (unsigned k = 0; k < (x >> 8 & 7); ++k) y = y * 5 + table[k];
            }
        } else {
            y = ~y;
            if (x & 32) y = y >> 3 ^ table[y % 64];
        }
    } else if (x & 64) {
        if (x & 128)
            y += table[1] * x;
        else if (x & 256)
            y -= table[2] + x;
        else
            y = y * table[x % 64];
    }
    return y;
}

__global__ void nested(const unsigned* in, const unsigned* table, unsigned* out) {
    out[global_thread()] = walk(in[global_thread()], table);
}

int main() {
    Array<unsigned> in(512, [](int i) { return random_word(i); }),
        table(64, [](int i) { return random_word(i + 1000); });
    Array<unsigned> out(512);
    nested<<<4, 128>>>(in, table, out);
    out.expect("nested", [&](int i) { return walk(in[i], &table[0]); });
    return verdict();
}
