// A scan with look-back of elements of 12 bytes, for which the compiler loads 16 at once: what lies behind, a
// word that another thread writes, is loaded too, and never used.
#include <cstdio>

#include "kernels/textbook/device/scan_look_back.cuh"

struct Three {
    unsigned sum, product, difference;
};
struct Join {
    __device__ Three operator()(Three left, Three right) const {
        return {left.sum + right.sum, left.product * right.product, left.difference ^ right.difference};
    }
};

int main() {
    constexpr int N = 5000;
    Three *in, *out;
    cudaMalloc(&in, N * sizeof(Three));
    cudaMalloc(&out, N * sizeof(Three));
    cudaMemset(in, 1, N * sizeof(Three));
    trial::LookBackScan<Three, Join> scan(N);
    scan(in, out, N, Join{}, nullptr);
    Three last;
    cudaMemcpy(&last, out + N - 1, sizeof last, cudaMemcpyDeviceToHost);
    std::puts(last.sum == N * 0x01010101u && last.difference == 0 ? "right" : "wrong");
    return 0;
}
