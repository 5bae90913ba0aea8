// Shuffles within segments of 16, 8, 4 and 2 lanes, of 4 and 8 bytes; a scan and a reduction by segments.
#include "simt/test/agreement/check.h"

template <int WIDTH>
__global__ void by_segments(const int* in, int* out, double* sums) {
    int value = in[global_thread()];
    for (int k = 1; k < WIDTH; k *= 2) {
        const int left = __shfl_up_sync(~0u, value, k, WIDTH);
        if (threadIdx.x % WIDTH >= k) value += left;
    }
    double sum = value;
    for (int k = WIDTH / 2; k > 0; k /= 2) sum += __shfl_xor_sync(~0u, sum, k, WIDTH);
    out[global_thread()] =
        value + __shfl_down_sync(~0u, value, 1, WIDTH) * 2 + __shfl_sync(~0u, value, 5, WIDTH) * 3;
    sums[global_thread()] = sum;
}

template <int WIDTH>
void check() {
    const int n = 96;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n);
    Array<double> sums(n);
    by_segments<WIDTH><<<1, n>>>(in, out, sums);
    std::vector<int> scan(n);
    for (int i = 0; i < n; ++i) scan[i] = in[i] + (i % WIDTH == 0 ? 0 : scan[i - 1]);
    out.expect("shuffles", [&](int i) {
        const int first = i / WIDTH * WIDTH, next = (i + 1) % WIDTH == 0 ? i : i + 1;
        return scan[i] + scan[next] * 2 + scan[first + 5 % WIDTH] * 3;
    });
    sums.expect("sums", [&](int i) {
        double sum = 0;
        for (int k = 0; k < WIDTH; ++k) sum += scan[i / WIDTH * WIDTH + k];
        return sum;
    });
}

int main() {
    check<16>();
    check<8>();
    check<4>();
    check<2>();
    return verdict();
}
