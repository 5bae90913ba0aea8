// Reductions of a warp in one instruction: sum, least, greatest, and, or, xor; of all lanes and of some.
#include <algorithm>

#include "simt/test/agreement/check.h"

__global__ void reduce(const int* in, int* out) {
    const int x = in[global_thread()], lane = threadIdx.x % 32;
    int sum = __reduce_add_sync(~0u, x) + 3 * __reduce_min_sync(~0u, x) + 5 * __reduce_max_sync(~0u, x);
    sum ^= __reduce_xor_sync(~0u, static_cast<unsigned>(x));
    const unsigned low = __ballot_sync(~0u, lane < x % 40);
    if (lane < x % 40)
        sum += __reduce_max_sync(low, static_cast<unsigned>(x)) +
               __reduce_or_sync(low, static_cast<unsigned>(x));
    else if (~low != 0)
        sum -= __reduce_add_sync(~low, x) + __reduce_and_sync(~low, static_cast<unsigned>(x));
    out[global_thread()] = sum;
}

int main() {
    const int n = 128;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000) - 200 * (i % 2 == 0 && i > 64) + 200; }),
        out(n);
    reduce<<<2, 64>>>(in, out);
    out.expect("reductions", [&](int i) {
        const int first = i / 32 * 32;
        int sum = 0, least = in[first], most = in[first], bits = 0, low_most = 0, low_or = 0, high_sum = 0,
            high_and = -1;
        for (int l = 0; l < 32; ++l) {
            const int x = in[first + l];
            sum += x;
            least = std::min(least, x);
            most = std::max(most, x);
            bits ^= x;
            if (l < x % 40)
                low_most = std::max(low_most, x), low_or |= x;
            else
                high_sum += x, high_and &= x;
        }
        const int total = (sum + 3 * least + 5 * most) ^ bits;
        return i % 32 < in[i] % 40 ? total + low_most + low_or : total - high_sum - high_and;
    });
    return verdict();
}
