// Four bytes in a word: dot products, sums of absolute differences, comparisons by byte, permutations.
#include "simt/test/agreement/check.h"

__global__ void bytes(const unsigned* in, int* out) {
    const unsigned x = in[global_thread()], y = in[global_thread() ^ 1];
    int sum = __dp4a(static_cast<int>(x), static_cast<int>(y), 7);
    sum += __dp4a(x, y, 9u) + __dp2a_lo(static_cast<int>(x), static_cast<int>(y), 1);
    sum ^= __vabsdiffu4(x, y) + __vsadu4(x, y);
    if (__vcmpgtu4(x, y) & 0xff)
        sum += __byte_perm(x, y, 0x3715);
    else
        sum -= __vmaxu4(x, y);
    out[global_thread()] = sum;
}

int main() {
    const int n = 128;
    Array<unsigned> in(n, [](int i) { return random_word(i); });
    Array<int> out(n);
    bytes<<<2, 64>>>(in, out);
    out.expect("bytes", [&](int i) {
        const auto byte = [](unsigned word, int k) { return word >> 8 * k & 0xff; };
        const unsigned x = in[i], y = in[i ^ 1];
        int is = 7;
        unsigned us = 9, differences = 0, total = 0, most = 0, permuted = 0;
        for (int k = 0; k < 4; ++k) {
            const unsigned a = byte(x, k), b = byte(y, k), difference = a > b ? a - b : b - a;
            is += int(static_cast<signed char>(a)) * static_cast<signed char>(b);
            us += a * b;
            differences |= difference << 8 * k;
            total += difference;
            most |= (a > b ? a : b) << 8 * k;
            const int from[] = {5, 1, 7, 3};
            permuted |= byte(from[k] < 4 ? x : y, from[k] % 4) << 8 * k;
        }
        const int low = 1 + short(x & 0xffff) * static_cast<signed char>(byte(y, 0)) +
                        short(x >> 16) * static_cast<signed char>(byte(y, 1));
        unsigned sum = is + us + low;
        sum ^= differences + total;
        return int(byte(x, 0) > byte(y, 0) ? sum + permuted : sum - most);
    });
    return verdict();
}
