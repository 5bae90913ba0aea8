// A switch with a case for each small number, which the compiler turns into a jump through a table.
#include "simt/test/agreement/check.h"

__host__ __device__ unsigned operate(unsigned which, unsigned x, unsigned y, const unsigned* table) {
    switch (which) {
        case 0: return x + table[y % 32];
        case 1:
            for (unsigned k = 0; k < y % 5; ++k) x = x * 3 + table[k];
            return x;
        case 2: return x / (y | 1) + table[3];
        case 3:
            while (x > 100) x = x / 3 - table[x % 32] % 8;
            return x;
        case 4: return table[x % 32] ^ table[y % 32];
        case 5:
            if (x > y) return x - y;
            return table[y % 32] * x;
        case 6: return x % (y | 1);
        case 7:
            for (unsigned k = 1; k < 6; ++k) x ^= table[(x + k) % 32] >> k;
            return x;
        case 8: return ~x * y;
        case 9: return (x << y % 32) + table[9];
        case 10:
            for (unsigned k = 0; k < x % 4; ++k) y += y >> 2;
            return y;
        case 11: return x * x + y * table[x % 32];
        default: return 7;
    }
}

__global__ void choose(const unsigned* in, const unsigned* table, unsigned* out) {
    const int i = global_thread();
    out[i] = operate(in[i] % 14, in[i] >> 4, in[i] >> 12, table);
}

int main() {
    Array<unsigned> in(384, [](int i) { return random_word(i); }),
        table(32, [](int i) { return random_word(i + 500); });
    Array<unsigned> out(384);
    choose<<<3, 128>>>(in, table, out);
    out.expect("switch", [&](int i) { return operate(in[i] % 14, in[i] >> 4, in[i] >> 12, &table[0]); });
    return verdict();
}
